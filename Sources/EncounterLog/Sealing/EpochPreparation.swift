import Cryptography
import FixedMemory

/// Prepares the next epoch in slices. It makes an ephemeral key, agrees on a secret with the owner key, and
/// forgets the ephemeral key. Afterwards only the owner key can recover that secret. Then the board's key
/// signs the epoch's segment header.
struct EpochPreparation: ~Copyable {
    private enum Stage { case idle, agreeing, signing, prepared }

    private var seal: LogSeal?
    private var stage = Stage.idle
    private var agreement: P256AgreementJob?
    private var signature: P256SignatureJob?
    private var secret = Bytes<32>()
    /// The prepared epoch's seal.
    private(set) var epochSeal: EpochSeal?

    init(_ seal: LogSeal?) { self.seal = seal }

    /// Whether a slice is left to do.
    var hasWork: Bool { seal != nil && stage != .prepared }

    /// Seals the next epoch for another owner key.
    mutating func change(_ seal: LogSeal) {
        self.seal = seal
        stage = .idle
    }

    /// Does one slice, if one is left. After an error it begins again.
    ///
    /// - Parameter head: the current end of the log, which the signature covers.
    @inline(never)
    mutating func advance(
        logIdentity: Bytes<16>, bootIdentifier: UInt64, head: LogHead
    ) throws(CryptographyError) {
        guard let seal, stage != .prepared else { return }
        let before = stage
        stage = .idle
        switch before {
        case .idle:
            agreement = try P256AgreementJob(with: seal.ownerKey, entropy: seal.entropy)
            stage = .agreeing
        case .agreeing:
            if try agreement?.advance() ?? true {
                let epochSeal = try takeAgreement(seal, head)
                let digest = epochSeal.signedDigest(logIdentity: logIdentity, bootIdentifier: bootIdentifier)
                signature = try P256SignatureJob(
                    digest: digest, scalar: seal.boardScalar, entropy: seal.entropy)
                self.epochSeal = epochSeal
                stage = .signing
            } else {
                stage = .agreeing
            }
        default:
            if try signature?.advance() ?? true {
                epochSeal?.signature = signature?.signature ?? Bytes()
                signature = nil
                stage = .prepared
            } else {
                stage = .signing
            }
        }
    }

    /// Ends the job, and with it the ephemeral key.
    private mutating func takeAgreement(
        _ seal: LogSeal, _ head: LogHead
    ) throws(CryptographyError) -> EpochSeal {
        guard var agreed = try agreement?.agreement() else { throw .wrongLength }
        agreement = nil
        secret = agreed.secret
        agreed.wipe()
        return EpochSeal(
            ownerKeyFingerprint: seal.ownerKey.fingerprint,
            ephemeralKey: Bytes(agreed.ephemeralKey.span.extracting(1..<65)) ?? Bytes(),
            signedThrough: head.position, chainValue: head.chainValue)
    }

    /// Takes the prepared epoch's keys, once.
    mutating func takeKeys(
        logIdentity: Bytes<16>, segmentOrdinal: UInt32, epoch: UInt8
    ) throws(CryptographyError) -> PageKeys {
        guard stage == .prepared, let epochSeal else { throw .wrongLength }
        stage = .idle
        defer { secret.wipe() }
        return try PageKeys(
            secret: secret, ephemeralKey: epochSeal.ephemeralKey, logIdentity: logIdentity,
            segmentOrdinal: segmentOrdinal, epoch: epoch)
    }
}
