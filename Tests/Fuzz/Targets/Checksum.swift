/// Computes CRC-32C bit by bit, independently of the log's own implementation.
func crc32c(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var remainder = UInt32.max
    for byte in bytes {
        remainder ^= UInt32(byte)
        for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 0 ? 0 : 0x82f6_3b78) }
    }
    return ~remainder
}

extension Array where Element == UInt8 {
    mutating func put(_ value: UInt64, at offset: Int, byteCount: Int) {
        for index in 0..<byteCount {
            self[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
        }
    }

    /// Corrects the checksums of a log page and of its segment header, whatever the rest contains. The page
    /// fills the array.
    mutating func sealPage(segment: UInt32, byteOffset: Int) {
        guard count >= 8 else { return }
        if self[1] & 2 != 0, count >= 86 {
            put(UInt64(crc32c((self[..<4] + self[8..<82])[...])), at: 82, byteCount: 4)
        }
        var seed: [UInt8] = Array(repeating: 0, count: 8)
        seed.put(UInt64(segment), at: 0, byteCount: 4)
        seed.put(UInt64(byteOffset), at: 4, byteCount: 4)
        put(UInt64(crc32c((seed + self[..<4] + self[8...])[...])), at: 4, byteCount: 4)
    }

    /// Makes the segment header of an unsealed log page without its checksum: 78 bytes.
    static func logHeader(
        segment: UInt32, blockBits: UInt8, blocksPerSegment: Int, segmentCount: Int, boot: UInt8
    )
        -> [UInt8]
    {
        var segmentHeader: [UInt8] = [blockBits, blockBits] + Array(repeating: 0, count: 76)
        segmentHeader.put(UInt64(blocksPerSegment), at: 2, byteCount: 2)
        segmentHeader.put(UInt64(segmentCount), at: 4, byteCount: 4)
        segmentHeader.put(UInt64(segment), at: 8, byteCount: 4)
        segmentHeader[12] = boot
        return segmentHeader
    }
}
