import Cryptography
import FixedMemory

/// The copy of a scheme's secrets while the board seals it for its owner, and then signs it.
struct BackupJob: ~Copyable {
    private(set) var header = SMPHeader(.write, .backup, sequence: 0)
    private(set) var contents = BackupContents()
    private var boardScalar = Bytes<32>()
    private var agreement: P256AgreementJob?
    private var signing: P256SignatureJob?
    /// Whether there is work to do. The agent asks in each step, and the board's optimiser would copy the
    /// whole job to answer.
    private(set) var isRunning = false
    /// Whether the record still has to be sealed.
    private var isAgreeing = false

    /// Ends the work.
    /// - Parameter slice: has the record, which must not stay in memory if it is not sealed yet.
    @inline(never)
    mutating func cancel(_ slice: inout InlineArray<2048, UInt8>) {
        guard isRunning else { return }
        for index in slice.indices { slice[index] = 0 }
        agreement = nil
        signing = nil
        boardScalar.wipe()
        isRunning = false
        isAgreeing = false
    }

    /// - Parameter ownerKey: the key to seal a record for; nil if there is none.
    mutating func start(
        _ header: SMPHeader, _ contents: BackupContents, sealedFor ownerKey: P256PublicKey?,
        boardScalar: Bytes<32>, entropy: Entropy
    ) throws(CryptographyError) {
        self.header = header
        self.contents = contents
        self.boardScalar = boardScalar
        if let ownerKey { agreement = try P256AgreementJob(with: ownerKey, entropy: entropy) }
        isAgreeing = ownerKey != nil
        isRunning = true
    }

    /// Computes one slice: first of the agreement, at whose end it seals the record, and then of the
    /// signature.
    /// - Parameter sealed: the record, with room for the seal around it; empty if there is none.
    /// - Returns: the signature after the last slice.
    @inline(never)
    mutating func step(
        _ sealed: inout MutableSpan<UInt8>, logIdentity: Bytes<16>
    ) throws(SMPRefusal) -> Bytes<64>? {
        do throws(CryptographyError) {
            if isAgreeing {
                try agree(&sealed, logIdentity: logIdentity)
                return nil
            }
            return try sign(sealed.span, logIdentity: logIdentity)
        } catch {
            // The record must not stay in clear.
            for index in sealed.indices { sealed[index] = 0 }
            throw .unknown
        }
    }

    private mutating func agree(
        _ sealed: inout MutableSpan<UInt8>, logIdentity: Bytes<16>
    ) throws(CryptographyError) {
        guard try agreement?.advance() ?? true, var result = try agreement?.agreement() else { return }
        agreement = nil
        isAgreeing = false
        defer { result.wipe() }
        try SealedRecord.seal(&sealed, result, .backup, logIdentity: logIdentity)
    }

    private mutating func sign(
        _ sealed: Span<UInt8>, logIdentity: Bytes<16>
    ) throws(CryptographyError) -> Bytes<64>? {
        if signing == nil {
            let digest = BackupStatement.digest(of: sealed, contents, logIdentity: logIdentity)
            signing = try P256SignatureJob(digest: digest, scalar: boardScalar, entropy: .system)
        }
        guard try signing?.advance() ?? false else { return nil }
        return signing?.signature
    }
}
