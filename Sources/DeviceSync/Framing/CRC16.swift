import FixedMemory

/// CRC-16/XMODEM: polynomial 0x1021, initial value 0, not reflected. Over a frame with its own checksum it
/// yields 0.
struct CRC16: Sendable {
    private(set) var value: UInt16 = 0

    mutating func update(_ byte: UInt8) {
        // These five operations divide eight bits together by the polynomial.
        value = value << 8 | value >> 8
        value ^= UInt16(byte)
        value ^= (value & 0xFF) >> 4
        value ^= value << 12
        value ^= (value & 0xFF) << 5
    }

    mutating func update(_ bytes: Span<UInt8>) {
        for index in bytes.indices { update(bytes[index]) }
    }
}
