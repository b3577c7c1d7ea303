import FixedMemory

/// CRC-16/XMODEM: polynomial 0x1021, initial value 0, not reflected. Over a frame and its own checksum it is 0.
struct CRC16: Sendable {
    private(set) var value: UInt16 = 0

    mutating func update(_ byte: UInt8) {
        // The polynomial's division, eight bits in one go.
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
