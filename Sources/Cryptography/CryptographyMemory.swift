import CMbedTLS

/// The memory that mbedTLS takes for its big numbers.
public enum CryptographyMemory {
    /// Gives the library its fixed pool. A board's program calls this once, before any other cryptography;
    /// elsewhere the library keeps its allocator and the call does nothing.
    public static func useFixedPool() {
        cmbedtls_use_fixed_pool()
    }
}
