import Cryptography
import DeviceSync
import FixedMemory

/// The private key that signs commands to a board over the serial line.
public struct OperatorKey: Sendable {
    private let scalar: Bytes<32>
    public let publicHalf: P256PublicKey

    /// - Parameter scalar: the private scalar, 32 bytes, big-endian.
    public init(scalar: Bytes<32>) throws(CryptographyError) {
        publicHalf = try P256PrivateKey(scalar: scalar, entropy: .system).publicKey
        self.scalar = scalar
    }

    func signature(
        of request: SMPPacket, nonce: Bytes<16>, logIdentity: Bytes<16>
    ) throws(CryptographyError) -> Bytes<64> {
        try signature(
            of: SignedCommand.digest(of: request.span, nonce: nonce, logIdentity: logIdentity))
    }

    func signature(of digest: Bytes<32>) throws(CryptographyError) -> Bytes<64> {
        var key = try P256PrivateKey(scalar: scalar, entropy: .system)
        return try key.sign(digest: digest, entropy: .system)
    }
}
