import Cryptography
import FixedMemory

/// The authority's side of Sonar: finds the installation that made an observed payload. No board has the
/// private key.
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

    /// Decrypts a broadcast value.
    /// - Throws: `.authenticationFailure` if it was made for another authority, or was changed.
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

    /// Decrypts a payload and runs all checks
    /// (``SonarPayload/check(_:observedAt:toleranceSeconds:by:secretOf:)``).
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

    // Explicit, because on a board another module can only destroy a type whose deinit is declared. The
    // properties clean up themselves.
    deinit {}
}

extension SonarPayload {
    /// Runs the checks that remain once the broadcast value is decrypted.
    ///
    /// The original server was never published. The order is what the apps imply; the check of the
    /// observation's time is ours. The countries must agree, and the time of the answer must lie within the
    /// value's validity. The installation must be known and have signed. The payload must have been read when
    /// it was made.
    ///
    /// - Parameters:
    ///   - message: The content of the broadcast value.
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
