import FixedMemory

extension Bytes<16> {
    /// Random bytes that nobody can predict, for a nonce.
    public static func random() -> Bytes<16> {
        var bytes = Bytes<16>()
        for index in 0..<16 { bytes[index] = UInt8.random(in: 0...255) }
        return bytes
    }
}
