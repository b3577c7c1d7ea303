import FixedMemory

/// The payload of a phone or wearable in the "Simple" scheme: header 0x10...0x17, then a 16-byte contact
/// identifier that changes every 6 minutes, then extended data, which ``HeraldSections`` reads.
public struct HeraldSimple: BitwiseCopyable, Equatable, Sendable {
    public var country: UInt16
    public var state: UInt16
    public var identifier: Bytes<16>

    /// Whether the identifier is zero, as from every phone whose key schedule has ended (since 18 March 2026
    /// in unmodified builds). Such a payload identifies no device: never join two sightings by it.
    public var isExpired: Bool { identifier == Bytes<16>() }

    public static let byteCount = HeraldHeader.byteCount + 16

    public init(country: UInt16, state: UInt16, identifier: Bytes<16>) {
        self.country = country
        self.state = state
        self.identifier = identifier
    }

    /// The payload as phones send it: 21 bytes, without a length before the identifier.
    public func encoded() -> FixedBuffer<512> {
        var payload = FixedBuffer<512>()
        // 21 bytes fit.
        try? HeraldHeader(type: 0x10, country: country, state: state).write(to: &payload)
        try? payload.append(identifier)
        return payload
    }

    /// Whether the identifier's length, 16, precedes it, as in Herald for wearables. Extended data have at
    /// least 3 bytes, so no payload of the proper form is exactly these 2 bytes longer.
    static func isLengthPrefixed(_ payload: Span<UInt8>) -> Bool {
        payload.count == byteCount + 2 && payload[5] == 16 && payload[6] == 0
    }

    public init(parsing bytes: Span<UInt8>) throws(HeraldPayloadError) {
        var reader = ByteReader(bytes)
        let header = try HeraldHeader(from: &reader)
        guard header.family == .simple else { throw .otherFamily }
        country = header.country
        state = header.state
        do throws(EndOfBytes) {
            if Self.isLengthPrefixed(bytes) { _ = try reader.readUInt16() }
            identifier = try reader.readBlock()
        } catch {
            throw .tooShort
        }
    }
}
