import FixedMemory

/// The value of one section of extended data, as its code determines.
public enum HeraldSectionValue: BitwiseCopyable, Equatable, Sendable {
    case text(HeraldText)
    case number(Int64)
    /// Seconds since 1970, UTC.
    case time(UInt32)
    case metres(Float)
    /// Minutes of arc, WGS 84: -5,400 to 5,400 and -10,800 to 10,800.
    case coordinates(latitudeMinutes: Int16, longitudeMinutes: Int16)
    /// Bytes of a known code that are not parsed.
    case data(FixedBuffer<255>)
    /// Bytes of a code that no specification describes.
    case unknown(FixedBuffer<255>)
    /// Bytes that do not fit the code: too many, too few, or a number out of range.
    case malformed(FixedBuffer<255>)

    /// Parses any section. A text ends before the first byte that is not UTF-8, as in deployed readers.
    ///
    /// - Parameter bytes: at most 255, as in a section; more are ignored.
    public init(code: UInt8, bytes: Span<UInt8>) {
        let content = FixedBuffer<255>(bytes.extracting(0..<min(bytes.count, 255))) ?? FixedBuffer()
        guard let known = HeraldSectionCode(rawValue: code) else {
            self = .unknown(content)
            return
        }
        self = Self.read(content, as: known.kind) ?? .malformed(content)
    }

    private static func read(_ content: FixedBuffer<255>, as kind: HeraldSectionCode.Kind) -> Self? {
        var reader = ByteReader(content.span)
        let value: Self
        do throws(EndOfBytes) {
            switch kind {
            case .text: return .text(HeraldText(cutting: content.span))
            case .data: return .data(content)
            case .unsigned8: value = .number(Int64(try reader.readUInt8()))
            case .signed8: value = .number(Int64(Int8(bitPattern: try reader.readUInt8())))
            case .unsigned32: value = .number(Int64(try reader.readUInt32()))
            case .time: value = .time(try reader.readUInt32())
            case .metres:
                let metres = Float(bitPattern: try reader.readUInt32())
                guard metres.isFinite, metres >= 0 else { return nil }
                value = .metres(metres)
            case .minutes:
                let latitude = Int16(bitPattern: try reader.readUInt16())
                let longitude = Int16(bitPattern: try reader.readUInt16())
                guard latitude.magnitude <= 5_400, longitude.magnitude <= 10_800 else { return nil }
                value = .coordinates(latitudeMinutes: latitude, longitudeMinutes: longitude)
            }
        } catch {
            return nil
        }
        return reader.isAtEnd ? value : nil
    }
}
