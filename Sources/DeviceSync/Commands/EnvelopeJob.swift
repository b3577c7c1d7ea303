import Cryptography
import FixedMemory

/// A signed command whose signature is being verified, and the nonce that the next one must be signed over.
struct EnvelopeJob: ~Copyable {
    /// The envelope's header, which the answer answers.
    private(set) var header = SMPHeader(.write, .signed, sequence: 0)
    /// The command in it, header and body.
    private(set) var request = FixedBuffer<2048>()
    private var nonce: Bytes<16>?
    private var verification: P256VerificationJob?

    var isRunning: Bool { verification != nil }

    mutating func cancel() { verification = nil }

    mutating func forgetNonce() { nonce = nil }

    /// The next command must be signed over this one; any before it is void.
    mutating func expect(_ nonce: Bytes<16>) { self.nonce = nonce }

    /// Uses the nonce up, whatever the signature turns out to be.
    mutating func start(
        _ header: SMPHeader, _ body: RequestBody, operatorKey: P256PublicKey, logIdentity: Bytes<16>
    ) throws(SMPRefusal) {
        guard let inner = try body.bytes("req"), let request = FixedBuffer<2048>(inner),
            let bytes = try body.bytes("sig"), let signature = Bytes<64>(bytes)
        else { throw .invalidValue }
        guard let nonce else { throw .nonceUnknown }
        self.nonce = nil
        self.header = header
        self.request = request
        let digest = SignedCommand.digest(of: inner, nonce: nonce, logIdentity: logIdentity)
        verification = try Self.verification(signature, digest, operatorKey)
    }

    /// Does a slice; true when the signature has proved to be the operator's.
    mutating func step() throws(SMPRefusal) -> Bool {
        var isVerified = false
        do throws(CryptographyError) {
            isVerified = try verification?.advance() ?? false
        } catch {
            verification = nil
            throw error == .authenticationFailed ? .notSigned : .unknown
        }
        if isVerified { verification = nil }
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
