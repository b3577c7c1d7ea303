/// The CRC-32 of IEEE 802.3 and zlib: reflected polynomial 0xEDB88320, initial value all ones, result
/// complemented.
public struct CRC32: Sendable {
    private var register: UInt32 = 0xFFFF_FFFF

    public init() {}

    public var value: UInt32 { ~register }

    public static func checksum(of bytes: Span<UInt8>) -> UInt32 {
        var checksum = CRC32()
        checksum.update(bytes)
        return checksum.value
    }

    public mutating func update(_ bytes: Span<UInt8>) {
        for index in bytes.indices {
            register ^= UInt32(bytes[index])
            for _ in 0..<8 { register = register >> 1 ^ (register & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }
}
