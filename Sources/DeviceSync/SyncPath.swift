import FixedMemory

/// The files a board offers.
public enum SyncPath: Equatable, Sendable {
    /// `/index`: which segments there are, as text.
    case index
    /// `/log`: all segments one after the other, oldest first.
    case log
    /// `/log/00000012`: the segment of this ordinal, eight decimal digits.
    case segment(UInt32)

    public init?(_ path: Span<UInt8>) {
        if path.isEqual(to: "/index") {
            self = .index
        } else if path.isEqual(to: "/log") {
            self = .log
        } else {
            guard path.count == 13, path.extracting(0..<5).isEqual(to: "/log/") else { return nil }
            var ordinal: UInt32 = 0
            for position in 5..<13 {
                guard case UInt8(ascii: "0")...UInt8(ascii: "9") = path[position] else { return nil }
                ordinal = ordinal * 10 + UInt32(path[position] - UInt8(ascii: "0"))
            }
            self = .segment(ordinal)
        }
    }

    public var text: FixedBuffer<16> {
        var text = FixedBuffer<16>()
        do throws(CapacityError) {
            switch self {
            case .index: try text.append("/index")
            case .log: try text.append("/log")
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
