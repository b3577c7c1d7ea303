import Cryptography
import FixedMemory

/// The board's statement about its log while the board signs it.
struct ManifestJob: ~Copyable {
    /// The request's header, to which the answer belongs.
    private(set) var header = SMPHeader(.read, .manifest, sequence: 0)
    private(set) var statement = Bytes<85>()
    private var signing: P256SignatureJob?
    /// Whether there is a ``signing``. The agent asks in each step, and the board's optimiser
    /// would copy the whole job to answer.
    private(set) var isRunning = false

    mutating func cancel() {
        signing = nil
        isRunning = false
    }

    /// - Parameter scalar: The board's private scalar.
    mutating func start(
        _ header: SMPHeader, _ statement: LogStatement, scalar: Bytes<32>
    ) throws(SMPRefusal) {
        self.header = header
        self.statement = statement.encoded
        let digest = LogStatement.digest(of: self.statement.span)
        signing = try Self.signing(digest, scalar)
        isRunning = true
    }

    /// Signs one slice; returns the signature after the last one.
    mutating func step() throws(SMPRefusal) -> Bytes<64>? {
        var isDone = false
        var signature: Bytes<64>?
        do throws(CryptographyError) {
            isDone = try signing?.advance() ?? false
            signature = signing?.signature
        } catch {
            cancel()
            throw .unknown
        }
        guard isDone else { return nil }
        cancel()
        return signature
    }

    private static func signing(
        _ digest: Bytes<32>, _ scalar: Bytes<32>
    ) throws(SMPRefusal) -> P256SignatureJob {
        do throws(CryptographyError) {
            return try P256SignatureJob(digest: digest, scalar: scalar, entropy: .system)
        } catch {
            throw .unknown
        }
    }
}
