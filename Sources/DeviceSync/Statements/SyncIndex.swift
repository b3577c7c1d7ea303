import FixedMemory

/// The first line of `/index`:
/// `tabard-index 2 log=<32 hex digits> boot=<16 hex digits> block=<bytes> unit=<bytes>`.
public struct SyncIndexHeader: Equatable, Sendable {
    public var logIdentity: Bytes<16>
    public var bootIdentifier: UInt64
    /// The size of a flash block; pages do not cross the border between blocks.
    public var blockByteCount: UInt32
    /// The size of a flash unit; a page takes one or more units.
    public var unitByteCount: UInt32

    public init(
        logIdentity: Bytes<16>, bootIdentifier: UInt64, blockByteCount: UInt32, unitByteCount: UInt32
    ) {
        self.logIdentity = logIdentity
        self.bootIdentifier = bootIdentifier
        self.blockByteCount = blockByteCount
        self.unitByteCount = unitByteCount
    }
}

/// A further line of `/index`: `segment <ordinal> <bytes> <open|closed>`, numbers in decimal, oldest
/// segment first.
public struct SyncIndexSegment: Equatable, Sendable {
    public var ordinal: UInt32
    /// The number of committed bytes; these bytes never change.
    public var byteCount: UInt32
    /// Whether the board may still commit bytes to the segment. If not, it is complete.
    public var isOpen: Bool

    public init(ordinal: UInt32, byteCount: UInt32, isOpen: Bool) {
        self.ordinal = ordinal
        self.byteCount = byteCount
        self.isOpen = isOpen
    }
}

/// The text of `/index`. All lines of a kind have the same length: numbers have leading zeros, and `open`
/// has one or two leading spaces. So any part of the text can be written without the parts before it.
public enum SyncIndex {
    public static let headerByteCount = 97
    public static let segmentByteCount = 35

    public static func byteCount(segmentCount: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: headerByteCount + segmentByteCount * segmentCount)
    }

    /// Fills `bytes` with the text from `offset` on, up to the end of the text, and returns the number of
    /// bytes written. `segment` returns the segment for an index below `segmentCount`, oldest first.
    public static func read(
        _ header: SyncIndexHeader, segmentCount: Int, offset: UInt64, into bytes: inout MutableSpan<UInt8>,
        segment: (Int) -> SyncIndexSegment
    ) -> Int {
        let end = headerByteCount + segmentByteCount * segmentCount
        guard offset < UInt64(truncatingIfNeeded: end) else { return 0 }
        var position = Int(truncatingIfNeeded: offset)
        var count = 0
        while position < end, count < bytes.count {
            var line = FixedBuffer<1024>()
            var start = 0
            if position < headerByteCount {
                write(header, into: &line)
            } else {
                let index = (position - headerByteCount) / segmentByteCount
                start = headerByteCount + index * segmentByteCount
                write(segment(index), into: &line)
            }
            for inLine in position - start..<line.count where count < bytes.count {
                bytes[count] = line[inLine]
                count += 1
                position += 1
            }
        }
        return count
    }

    private static func write(_ header: SyncIndexHeader, into line: inout FixedBuffer<1024>) {
        do throws(CapacityError) {
            try line.append("tabard-index 2 log=")
            for index in 0..<16 {
                try line.append(hexadecimal: UInt64(header.logIdentity[index]), digitCount: 2)
            }
            try line.append(" boot=")
            try line.append(hexadecimal: header.bootIdentifier, digitCount: 16)
            try line.append(" block=")
            try line.append(decimal: UInt64(header.blockByteCount), digitCount: 5)
            try line.append(" unit=")
            try line.append(decimal: UInt64(header.unitByteCount), digitCount: 5)
            try line.append("\n")
        } catch {
            preconditionFailure("a line is shorter than its buffer")
        }
    }

    private static func write(_ segment: SyncIndexSegment, into line: inout FixedBuffer<1024>) {
        do throws(CapacityError) {
            try line.append("segment ")
            try line.append(decimal: UInt64(segment.ordinal), digitCount: 8)
            try line.append(" ")
            try line.append(decimal: UInt64(segment.byteCount), digitCount: 10)
            try line.append(segment.isOpen ? "   open\n" : " closed\n")
        } catch {
            preconditionFailure("a line is shorter than its buffer")
        }
    }
}

extension ByteSink where Self: ~Copyable {
    /// Appends the last `digitCount` hexadecimal digits of `value` in lower case.
    mutating func append(hexadecimal value: UInt64, digitCount: Int) throws(CapacityError) {
        for index in 0..<digitCount {
            let digit =
                UInt8(truncatingIfNeeded: value >> UInt64(truncatingIfNeeded: 4 * (digitCount - 1 - index)))
                & 15
            try append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
