import CMbedTLS
import FixedMemory

extension Bytes {
    /// Overwrites a secret with zeros, in a way that the compiler does not take for superfluous.
    public mutating func wipe() {
        var bytes = mutableSpan
        bytes.withUnsafeMutableBufferPointer { mbedtls_platform_zeroize($0.baseAddress, $0.count) }
    }
}
