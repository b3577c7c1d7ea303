import FixedMemory

/// The files that a board offers.
public enum SyncPath: Equatable, Sendable {
    /// `/index`: the list of segments, as text.
    case index
    /// `/index/00000012`: the list of segments from this ordinal on.
    case indexFrom(UInt32)
    /// `/log`: all segments one after the other, oldest first.
    case log
    /// `/log/00000012`: the segment with this ordinal, eight decimal digits.
    case segment(UInt32)

    /// `/config`: the current configuration, in the format of a configuration file.
    case configuration

    /// The largest ordinal that eight digits can express.
    public static let latestOrdinal: UInt32 = 99_999_999

    public init?(_ path: Span<UInt8>) {
        if path.isEqual(to: "/index") {
            self = .index
        } else if path.isEqual(to: "/log") {
            self = .log
        } else if path.isEqual(to: "/config") {
            self = .configuration
        } else {
            let isSegment = path.count == 13 && path.extracting(0..<5).isEqual(to: "/log/")
            let isIndex = path.count == 15 && path.extracting(0..<7).isEqual(to: "/index/")
            guard isSegment || isIndex, let ordinal = Self.ordinal(path.extracting(last: 8)) else {
                return nil
            }
            self = isSegment ? .segment(ordinal) : .indexFrom(ordinal)
        }
    }

    private static func ordinal(_ digits: Span<UInt8>) -> UInt32? {
        var ordinal: UInt32 = 0
        for position in digits.indices {
            guard case UInt8(ascii: "0")...UInt8(ascii: "9") = digits[position] else { return nil }
            ordinal = ordinal * 10 + UInt32(digits[position] - UInt8(ascii: "0"))
        }
        return ordinal
    }

    public var text: FixedBuffer<16> {
        var text = FixedBuffer<16>()
        do throws(CapacityError) {
            switch self {
            case .index: try text.append("/index")
            case .indexFrom(let ordinal):
                try text.append("/index/")
                try text.append(decimal: UInt64(ordinal), digitCount: 8)
            case .log: try text.append("/log")
            case .configuration: try text.append("/config")
            case .segment(let ordinal):
                try text.append("/log/")
                try text.append(decimal: UInt64(ordinal), digitCount: 8)
            }
        } catch {
            preconditionFailure("a path is shorter than its buffer")
        }
        return text
    }
}
