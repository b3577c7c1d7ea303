/// CRC-32C bit by bit: written apart from the log's own, and slow.
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

    /// Makes both checksums of a log page right, whatever else it says.
    mutating func sealPage() {
        put(UInt64(crc32c(self[56...])), at: 48, byteCount: 4)
        put(UInt64(crc32c(self[..<52])), at: 52, byteCount: 4)
    }
}
