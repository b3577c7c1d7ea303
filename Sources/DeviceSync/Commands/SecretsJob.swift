import Cryptography
import FixedMemory

/// The key agreement with which the board opens a sealed record of secrets.
struct SecretsJob: ~Copyable {
    private var agreement: P256AgreementJob?
    /// Whether there is an ``agreement``. The agent asks in each step, and the board's optimiser would copy
    /// the whole job to answer.
    private(set) var isRunning = false

    @inline(never)
    mutating func cancel() {
        agreement = nil
        isRunning = false
    }

    /// - Parameter scalar: The board's private scalar.
    mutating func start(_ sealed: Span<UInt8>, scalar: Bytes<32>) throws(CryptographyError) {
        let ephemeralKey = try SealedRecord.ephemeralKey(of: sealed)
        agreement = try P256AgreementJob(with: ephemeralKey, entropy: .system)
        try agreement?.use(scalar: scalar)
        isRunning = true
    }

    /// Computes one slice; returns the secret after the last one.
    @inline(never)
    mutating func step() throws(CryptographyError) -> Bytes<32>? {
        guard try agreement?.advance() ?? true else { return nil }
        let secret = try agreement?.sharedSecret()
        cancel()
        return secret
    }
}
