import FixedMemory
import LogContents

/// Why a device is not taken for the board that it claims to be. Nothing of it is stored.
public struct Impostor: Error, Equatable, Sendable {
    public enum Reason: Equatable, Sendable {
        /// The archive knows the board's key, and the device presented none or signed nothing.
        case noProof
        /// The device presented another key, with this fingerprint.
        case otherKey(Bytes<16>)
        /// The archive knows the board as one without keys, and the device presented this one.
        case firstKey(Bytes<16>)
        /// The signature is not that of the presented key over our nonce, or it concerns another log.
        case badSignature
        /// The index or the clock contradicts the signed statement.
        case contradiction
    }

    /// The log identity that the device claims.
    public let claimed: LogIdentity
    public let reason: Reason

    public init(claimed: LogIdentity, reason: Reason) {
        self.claimed = claimed
        self.reason = reason
    }
}
