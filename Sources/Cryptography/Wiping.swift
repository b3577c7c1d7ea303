import CMbedTLS
import FixedMemory

extension FixedBuffer {
    /// Overwrites the whole storage, including the bytes past the end, and leaves the buffer empty.
    public mutating func wipe() {
        truncate(to: 0)
        withUnsafeMutableBytes(of: &self) { mbedtls_platform_zeroize($0.baseAddress, $0.count) }
    }
}

extension Bytes {
    /// Overwrites a secret with zeros in a way that the compiler does not optimise away.
    public mutating func wipe() {
        var bytes = mutableSpan
        bytes.withUnsafeMutableBufferPointer { mbedtls_platform_zeroize($0.baseAddress, $0.count) }
    }
}
