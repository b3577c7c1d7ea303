/// CRC-32C (Castagnoli), as in iSCSI (RFC 3720, B.4) and Btrfs: reflected polynomial 0x82F63B78.
enum CRC32C {
    /// The checksum of `bytes`, or of the bytes that `previous` covers followed by `bytes`.
    static func checksum(of bytes: Span<UInt8>, continuing previous: UInt32 = 0) -> UInt32 {
        var remainder = ~previous
        for index in bytes.indices {
            let entry = Int(truncatingIfNeeded: (remainder ^ UInt32(bytes[index])) & 0xff)
            remainder = table[entry] ^ (remainder &>> 8)
        }
        return ~remainder
    }

    /// The remainder of each byte.
    private static let table = InlineArray<256, UInt32> { (index: Int) -> UInt32 in
        var remainder = UInt32(truncatingIfNeeded: index)
        for _ in 0..<8 { remainder = (remainder &>> 1) ^ (remainder & 1 == 0 ? 0 : 0x82f6_3b78) }
        return remainder
    }
}
