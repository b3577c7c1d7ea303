import Cryptography
import FixedMemory

/// A signed command whose signature is being verified, and the nonce that the next signed command must use.
struct EnvelopeJob: ~Copyable {
    /// The envelope's header, to which the answer belongs.
    private(set) var header = SMPHeader(.write, .signed, sequence: 0)
    /// The command in the envelope: header and body.
    private(set) var request = FixedBuffer<2048>()
    private var nonce: Bytes<16>?
    /// When the board gave the nonce, or the one that the running command used up.
    private(set) var nonceInstant = Instant.start
    private var verification: P256VerificationJob?
    /// Whether there is a ``verification``. The agent asks in each step, and the board's
    /// optimiser would copy the whole job to answer.
    private(set) var isRunning = false

    /// A nonce is valid for so long. A client signs at once; carrying a nonce elsewhere takes longer.
    private static var nonceLifetime: Interval { .seconds(30) }

    mutating func cancel() {
        verification = nil
        isRunning = false
    }

    mutating func forgetNonce() { nonce = nil }

    /// Sets the nonce that the next command must be signed over; any earlier nonce becomes void.
    mutating func expect(_ nonce: Bytes<16>, now: Instant) {
        self.nonce = nonce
        nonceInstant = now
    }

    /// Starts a verification. This consumes the nonce, whether or not the signature turns out to be valid.
    mutating func start(
        _ header: SMPHeader, _ body: RequestBody, operatorKey: P256PublicKey, logIdentity: Bytes<16>,
        now: Instant
    ) throws(SMPRefusal) {
        guard let inner = try body.bytes("req"), let request = FixedBuffer<2048>(inner),
            let bytes = try body.bytes("sig"), let signature = Bytes<64>(bytes)
        else { throw .invalidValue }
        guard let nonce else { throw .nonceUnknown }
        self.nonce = nil
        guard now.interval(since: nonceInstant) <= Self.nonceLifetime else { throw .nonceUnknown }
        self.header = header
        self.request = request
        let digest = SignedCommand.digest(of: inner, nonce: nonce, logIdentity: logIdentity)
        verification = try Self.verification(signature, digest, operatorKey)
        isRunning = true
    }

    /// Verifies one slice; returns true once the signature is proved to be the operator's.
    mutating func step() throws(SMPRefusal) -> Bool {
        var isVerified = false
        do throws(CryptographyError) {
            isVerified = try verification?.advance() ?? false
        } catch {
            cancel()
            throw error == .authenticationFailed ? .notSigned : .unknown
        }
        if isVerified { cancel() }
        return isVerified
    }

    private static func verification(
        _ signature: Bytes<64>, _ digest: Bytes<32>, _ key: P256PublicKey
    ) throws(SMPRefusal) -> P256VerificationJob {
        do throws(CryptographyError) {
            return try P256VerificationJob(signature: signature, digest: digest, publicKey: key)
        } catch {
            throw .unknown
        }
    }
}
