import Cryptography
import FixedMemory

/// With what an authority opens payloads and checks their codes: mbedTLS, or on a computer that has very many of them another
/// library (`Matching`). What is done with it, in which order, and what is refused, is said once, in ``SonarBroadcastValue`` and
/// ``SonarPayload``.
public protocol SonarPrimitives: ~Copyable {
    /// X9.63 with SHA-256 of what was agreed on and the fresh public key: 32 bytes.
    func derive(from agreement: P256Agreement) -> Bytes<32>

    /// Decrypts `text` where it stands: AES-128 in Galois/counter mode, with nothing else authenticated.
    /// - Throws: `.authenticationFailure` when the tag does not belong.
    func open(_ text: inout Bytes<26>, tag: Bytes<16>, by keys: SonarSealingKeys) throws(SonarRefusal)

    /// HMAC-SHA-256.
    func code(of message: Span<UInt8>, secret: Bytes<32>) throws(SonarRefusal) -> Bytes<32>
}

/// Those of mbedTLS.
public struct SonarBoardPrimitives: SonarPrimitives {
    public init() {}

    public func derive(from agreement: P256Agreement) -> Bytes<32> {
        var derived = Bytes<32>()
        var destination = derived.mutableSpan
        X963SHA256.derive(&destination, from: agreement.secret.span, info: agreement.ephemeralKey.span)
        return derived
    }

    public func open(
        _ text: inout Bytes<26>, tag: Bytes<16>, by keys: SonarSealingKeys
    ) throws(SonarRefusal) {
        var bytes = text.mutableSpan
        do throws(CryptographyError) {
            var cipher = try AESGCM(key: keys.key.span)
            try cipher.open(&bytes, tag: tag, nonce: keys.nonce.span, authenticating: Span())
        } catch {
            throw error == .authenticationFailed ? .authenticationFailure : .cryptography
        }
    }

    public func code(of message: Span<UInt8>, secret: Bytes<32>) throws(SonarRefusal) -> Bytes<32> {
        do throws(CryptographyError) {
            return try HMACSHA256.code(of: message, key: secret.span)
        } catch {
            throw .cryptography
        }
    }
}
