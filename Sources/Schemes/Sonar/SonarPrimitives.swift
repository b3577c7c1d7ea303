import Cryptography
import FixedMemory

/// The primitives with which an authority decrypts payloads and checks their codes. Boards use mbedTLS; a
/// computer with very many payloads uses another library (`Matching`). ``SonarBroadcastValue`` and
/// ``SonarPayload`` define their use and order, and what is refused.
public protocol SonarPrimitives: ~Copyable {
    /// Derives 32 bytes by X9.63 with SHA-256 from the agreed secret and the fresh public key.
    func derive(from agreement: P256Agreement) -> Bytes<32>

    /// Decrypts `text` in place: AES-128 in Galois/counter mode, with nothing else authenticated.
    /// - Throws: `.authenticationFailure` if the tag does not match.
    func open(_ text: inout Bytes<26>, tag: Bytes<16>, by keys: SonarSealingKeys) throws(SonarRefusal)

    /// Computes HMAC-SHA-256.
    func code(of message: Span<UInt8>, secret: Bytes<32>) throws(SonarRefusal) -> Bytes<32>
}

/// The primitives of mbedTLS.
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
