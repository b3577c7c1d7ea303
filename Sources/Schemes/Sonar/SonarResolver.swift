import Cryptography
import FixedMemory

/// The authority's end of Sonar: whose payload it was that somebody read. No board has the private key.
public struct SonarResolver: ~Copyable {
    private var key: P256PrivateKey
    private let entropy: Entropy

    /// - Parameter scalar: the authority's private number, 32 bytes, big-endian.
    /// - Throws: `.invalidPrivateKey`.
    public init(scalar: Bytes<32>, entropy: Entropy) throws(CryptographyError) {
        key = try P256PrivateKey(scalar: scalar, entropy: entropy)
        self.entropy = entropy
    }

    public var publicKey: P256PublicKey { key.publicKey }

    /// What a broadcast value hides.
    /// - Throws: `.authenticationFailure` when it is not for this authority, or was changed.
    public mutating func open(_ broadcast: SonarBroadcastValue) throws(SonarRefusal) -> SonarMessage {
        let fresh = try broadcast.publicKey()
        var agreement: P256Agreement
        do throws(CryptographyError) {
            agreement = P256Agreement(
                ephemeralKey: fresh.x963, secret: try key.sharedSecret(with: fresh, entropy: entropy))
        } catch {
            throw .cryptography
        }
        defer { agreement.wipe() }
        return try broadcast.open(agreement)
    }

    /// Whose payload it is, after all checks (``SonarPayload/check(_:observedAt:toleranceSeconds:secretOf:)``).
    public mutating func resolve(
        _ payload: SonarPayload, observedAt: UInt64,
        toleranceSeconds: UInt64 = SonarPayload.toleranceSeconds,
        secretOf: (Bytes<16>) -> Bytes<32>?
    ) throws(SonarRefusal) -> SonarMessage {
        let message = try open(payload.broadcast)
        try payload.check(
            message, observedAt: observedAt, toleranceSeconds: toleranceSeconds, secretOf: secretOf)
        return message
    }

    // On a board another module can only end what says here how it ends; the parts do the work.
    deinit {}
}

extension SonarPayload {
    /// What is left to check once the broadcast value is open. The original server was never published; this is its order
    /// as the apps imply it, and the observation's time besides: the countries agree, the time of the answer lies within
    /// the value's, the installation is known and has signed, and the payload was read when it was made.
    ///
    /// - Parameters:
    ///   - message: What the broadcast value hides.
    ///   - observedAt: When it was read, in seconds since 1970.
    ///   - secretOf: An installation's secret; nil for unknown ones.
    public func check(
        _ message: SonarMessage, observedAt: UInt64, toleranceSeconds: UInt64 = toleranceSeconds,
        by primitives: borrowing some SonarPrimitives & ~Copyable = SonarBoardPrimitives(),
        secretOf: (Bytes<16>) -> Bytes<32>?
    ) throws(SonarRefusal) {
        guard message.country == broadcast.country else { throw .otherCountry }
        guard let validity = message.validity, validity.contains(UInt64(transmissionSeconds)) else {
            throw .outsideValidity
        }
        guard let secret = secretOf(message.installation) else { throw .unknownInstallation }
        try verify(secret: secret, by: primitives)
        guard validity.widened(by: toleranceSeconds).contains(observedAt) else { throw .outsideValidity }
        guard isFresh(observedAt: observedAt, toleranceSeconds: toleranceSeconds) else {
            throw .staleTransmissionTime
        }
    }
}
