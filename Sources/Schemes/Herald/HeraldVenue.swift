import FixedMemory

/// The payload of a fixed venue beacon.
///
///     type 0x30 (0x30...0x37 are read) · country u16 · state u16 · location u32
///     · extended data, 0 to 501 bytes
///
/// Integers are little-endian. The extended data are sections of `code u8 · length u8 · bytes`. This type has
/// the four texts for which shipped software has names; ``HeraldSections`` has all sections. Source: Herald
/// beacon payload specification, and the bytes that its applications for iOS and wearables transmit.
public struct HeraldVenue: BitwiseCopyable, Equatable, Sendable {
    public static let fixedByteCount = HeraldHeader.byteCount + 4
    /// The specification's limit, with which the whole fits an attribute of at most 512 bytes.
    public static let maximumExtendedByteCount = 501
    public static let maximumByteCount = fixedByteCount + maximumExtendedByteCount

    public var country: UInt16
    public var state: UInt16
    /// The venue's number within the state.
    public var location: UInt32
    /// UTF-8. Empty texts are left out of the payload.
    public var name = HeraldText()
    public var area = HeraldText()
    public var disambiguation = HeraldText()
    public var url = HeraldText()

    public init(country: UInt16, state: UInt16, location: UInt32) {
        self.country = country
        self.state = state
        self.location = location
    }

    /// Parses any venue payload. It ignores unknown sections, uses the first of equal ones, and keeps the
    /// available part of a truncated section. A beacon's fixed part is useful alone.
    public init(parsing bytes: Span<UInt8>) throws(HeraldPayloadError) {
        var reader = ByteReader(bytes)
        let header = try HeraldHeader(from: &reader)
        guard header.family == .venue else { throw .otherFamily }
        do throws(EndOfBytes) {
            self.init(country: header.country, state: header.state, location: try reader.readUInt32())
        } catch {
            throw .tooShort
        }
        readSections(reader.readRest())
    }

    public func encoded() throws(HeraldPayloadError) -> FixedBuffer<512> {
        var payload = FixedBuffer<512>()
        do throws(CapacityError) {
            try HeraldHeader(type: 0x30, country: country, state: state).write(to: &payload)
            try payload.append(littleEndian: location)
            try Self.write(.name, name, to: &payload)
            try Self.write(.area, area, to: &payload)
            try Self.write(.disambiguation, disambiguation, to: &payload)
            try Self.write(.url, url, to: &payload)
        } catch {
            throw .tooLong
        }
        guard payload.count <= Self.maximumByteCount else { throw .tooLong }
        return payload
    }

    private static func write(
        _ code: HeraldSectionCode, _ text: HeraldText, to payload: inout FixedBuffer<512>
    )
        throws(CapacityError)
    {
        guard !text.isEmpty else { return }
        try payload.append(code.rawValue)
        try payload.append(UInt8(truncatingIfNeeded: text.count))
        try payload.append(text.span)
    }

    private mutating func readSections(_ bytes: Span<UInt8>) {
        var sections = HeraldSections(bytes)
        while let section = sections.next() {
            guard let code = HeraldSectionCode(rawValue: section.code) else { continue }
            let text = HeraldText(cutting: section.bytes)
            switch code {
            case .name where name.isEmpty: name = text
            case .area where area.isEmpty: area = text
            case .disambiguation where disambiguation.isEmpty: disambiguation = text
            case .url where url.isEmpty: url = text
            default: break
            }
        }
    }
}
