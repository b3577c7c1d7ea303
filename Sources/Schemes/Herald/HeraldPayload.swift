import FixedMemory

/// Any Herald payload, parsed as far as its family is supported.
public enum HeraldPayload: BitwiseCopyable, Equatable, Sendable {
    case venue(HeraldVenue)
    case simple(HeraldSimple)
    case fixed(HeraldFixed)
    case routed(type: UInt8, routingIdentifier: UInt32)
    /// A family whose contents are not parsed here.
    case other(HeraldHeader)

    @inline(never)
    public init(parsing bytes: Span<UInt8>) throws(HeraldPayloadError) {
        guard !bytes.isEmpty else { throw .tooShort }
        switch HeraldFamily(type: bytes[0]) {
        case .venue: self = .venue(try HeraldVenue(parsing: bytes))
        case .simple: self = .simple(try HeraldSimple(parsing: bytes))
        case .routed: self = try Self.routed(bytes)
        case .custom where bytes[0] == HeraldFixed.type && bytes.count == HeraldFixed.byteCount:
            self = .fixed(try HeraldFixed(parsing: bytes))
        default: self = .other(try HeraldHeader(parsing: bytes))
        }
    }

    /// Whether the payload identifies a device. One that does not must never join two encounters.
    public var isIdentity: Bool {
        switch self {
        case .simple(let simple): !simple.isExpired
        default: true
        }
    }

    /// The extended data of any payload, for ``HeraldSections``; empty if the family has none, or if their
    /// start is unknown.
    @_lifetime(copy payload)
    public static func extendedData(of payload: Span<UInt8>) -> Span<UInt8> {
        let start =
            switch try? HeraldPayload(parsing: payload) {
            case .venue: HeraldVenue.fixedByteCount
            // The form with a length before the identifier has none.
            case .simple: HeraldSimple.isLengthPrefixed(payload) ? payload.count : HeraldSimple.byteCount
            case .fixed, .routed, .other, nil: payload.count
            }
        return payload.extracting(start..<payload.count)
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
