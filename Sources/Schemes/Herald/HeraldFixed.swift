import FixedMemory

/// The payload of a device with a constant identity: a number that its owner chose, neither a venue's nor a
/// changing identifier.
///
///     type 0x08 · country u16 · state u16 · client identifier u64
///
/// Integers are little-endian. Source: the fixed payload of Herald for wearables, byte for byte. The family's
/// other types, and other lengths, belong to projects.
public struct HeraldFixed: BitwiseCopyable, Equatable, Sendable {
    public static let type: UInt8 = 0x08
    public static let byteCount = HeraldHeader.byteCount + 8

    public var country: UInt16
    public var state: UInt16
    /// The device's number within the state.
    public var client: UInt64

    public init(country: UInt16, state: UInt16, client: UInt64) {
        self.country = country
        self.state = state
        self.client = client
    }

    /// - Throws: `.otherFamily` for another type, `.tooShort` and `.tooLong` for other than 13 bytes.
    public init(parsing bytes: Span<UInt8>) throws(HeraldPayloadError) {
        var reader = ByteReader(bytes)
        let header = try HeraldHeader(from: &reader)
        guard header.type == Self.type else { throw .otherFamily }
        do throws(EndOfBytes) {
            self.init(country: header.country, state: header.state, client: try reader.readUInt64())
        } catch {
            throw .tooShort
        }
        guard reader.isAtEnd else { throw .tooLong }
    }

    /// The payload: 13 bytes.
    public func encoded() -> FixedBuffer<512> {
        var payload = FixedBuffer<512>()
        // 13 bytes fit.
        try? HeraldHeader(type: Self.type, country: country, state: state).write(to: &payload)
        try? payload.append(littleEndian: client)
        return payload
    }
}
