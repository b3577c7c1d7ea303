import FixedMemory

/// Any Herald payload, as far as it is understood.
public enum HeraldPayload: BitwiseCopyable, Equatable, Sendable {
    case venue(HeraldVenue)
    case simple(HeraldSimple)
    case routed(type: UInt8, routingIdentifier: UInt32)
    /// A family whose contents are not read here.
    case other(HeraldHeader)

    @inline(never)
    public init(parsing bytes: Span<UInt8>) throws(HeraldPayloadError) {
        guard !bytes.isEmpty else { throw .tooShort }
        switch HeraldFamily(type: bytes[0]) {
        case .venue: self = .venue(try HeraldVenue(parsing: bytes))
        case .simple: self = .simple(try HeraldSimple(parsing: bytes))
        case .routed: self = try Self.routed(bytes)
        default: self = .other(try HeraldHeader(parsing: bytes))
        }
    }

    /// Whether the payload names someone. One that does not must never join two encounters.
    public var isIdentity: Bool {
        switch self {
        case .simple(let simple): !simple.isExpired
        default: true
        }
    }

    private static func routed(_ bytes: Span<UInt8>) throws(HeraldPayloadError) -> HeraldPayload {
        var reader = ByteReader(bytes)
        do throws(EndOfBytes) {
            return .routed(type: try reader.readUInt8(), routingIdentifier: try reader.readUInt32())
        } catch {
            throw .tooShort
        }
    }
}
