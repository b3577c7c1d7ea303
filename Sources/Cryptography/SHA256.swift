import CMbedTLS
import FixedMemory

/// SHA-256 (FIPS 180-4) over a message given in parts.
public struct SHA256: ~Copyable {
    public static let byteCount = 32

    private var context = mbedtls_sha256_context()

    public init() {
        mbedtls_sha256_init(&context)
        start()
    }

    public mutating func update(_ bytes: Span<UInt8>) {
        let result = bytes.withUnsafeBufferPointer {
            mbedtls_sha256_update_ret(&context, $0.baseAddress, $0.count)
        }
        precondition(result == 0)  // the software implementation cannot fail
    }

    /// Returns the digest of everything since the start, then starts again.
    public mutating func finish() -> Bytes<32> {
        var digest = Bytes<32>()
        var destination = digest.mutableSpan
        let result = destination.withUnsafeMutableBufferPointer {
            mbedtls_sha256_finish_ret(&context, $0.baseAddress)
        }
        precondition(result == 0)
        start()
        return digest
    }

    /// Discards everything given so far.
    public mutating func restart() { start() }

    public static func digest(of message: Span<UInt8>) -> Bytes<32> {
        var hash = SHA256()
        hash.update(message)
        let digest = hash.finish()
        hash.wipe()
        return digest
    }

    private mutating func start() {
        let result = mbedtls_sha256_starts_ret(&context, 0)
        precondition(result == 0)
    }

    /// Overwrites the context where it is. Call it last.
    public mutating func wipe() { mbedtls_sha256_free(&context) }

    // A deinitialiser has only a copy of the context. It frees what the context owns.
    deinit {
        var last = context
        mbedtls_sha256_free(&last)
    }
}
