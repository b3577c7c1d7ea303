/// Encodes small integers as runs (Parquet format, Encodings: RLE / bit-packing hybrid).
///
/// Definition levels and indices into a dictionary are written so.
enum HybridEncoding {
    /// Bit-packed runs hold groups of this many values.
    private static let groupSize = 8

    /// Appends the runs, without the length that definition levels have before them.
    static func append<Value: FixedWidthInteger & UnsignedInteger>(
        _ values: Span<Value>, bitWidth: Int, to bytes: inout [UInt8]
    ) {
        // Values before `index` from `packedStart` on wait for a bit-packed run.
        var packedStart = 0
        var index = 0
        while index < values.count {
            let value = values[index]
            var end = index + 1
            while end < values.count, values[end] == value { end += 1 }
            // A bit-packed run that another run follows cannot be padded, so the repeated value fills its
            // group.
            let fill = (groupSize - (index - packedStart) % groupSize) % groupSize
            if end - index - fill >= groupSize {
                appendPackedRun(
                    values.extracting(packedStart..<(index + fill)), bitWidth: bitWidth, to: &bytes)
                bytes.appendVarint(UInt64(end - index - fill) << 1)
                appendRepeated(value, bitWidth: bitWidth, to: &bytes)
                packedStart = end
            }
            index = end
        }
        appendPackedRun(values.extracting(packedStart..<values.count), bitWidth: bitWidth, to: &bytes)
    }

    /// Appends values without gaps, the least significant bit first; zeros fill the last byte.
    ///
    /// Booleans in PLAIN pages are written so, too.
    static func appendPacked<Value: FixedWidthInteger & UnsignedInteger>(
        _ values: Span<Value>, bitWidth: Int, to bytes: inout [UInt8]
    ) {
        var pending: UInt64 = 0
        var pendingBitCount = 0
        for index in values.indices {
            pending |= UInt64(truncatingIfNeeded: values[index]) << UInt64(pendingBitCount)
            pendingBitCount += bitWidth
            while pendingBitCount >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: pending))
                pending >>= 8
                pendingBitCount -= 8
            }
        }
        if pendingBitCount > 0 { bytes.append(UInt8(truncatingIfNeeded: pending)) }
    }

    /// The bits that values below a limit need. Some readers do not expect 0.
    static func bitWidth(below limit: Int) -> Int {
        max(1, Int.bitWidth - max(0, limit - 1).leadingZeroBitCount)
    }

    private static func appendPackedRun<Value: FixedWidthInteger & UnsignedInteger>(
        _ values: Span<Value>, bitWidth: Int, to bytes: inout [UInt8]
    ) {
        guard !values.isEmpty else { return }
        let groupCount = (values.count + groupSize - 1) / groupSize
        bytes.appendVarint(UInt64(groupCount) << 1 | 1)
        let end = bytes.count + groupCount * bitWidth
        appendPacked(values, bitWidth: bitWidth, to: &bytes)
        while bytes.count < end { bytes.append(0) }
    }

    private static func appendRepeated(
        _ value: some FixedWidthInteger, bitWidth: Int, to bytes: inout [UInt8]
    ) {
        for shift in stride(from: 0, to: bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }
}
