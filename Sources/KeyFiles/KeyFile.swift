import Crypto
import Cryptography
import FixedMemory
import Foundation

/// A P-256 key in a file: a private key (PKCS #8 or SEC 1) or a public key (SubjectPublicKeyInfo), in PEM or
/// DER. Of several keys in a file the first of this curve counts.
public struct KeyFile: Sendable {
    public let publicHalf: P256PublicKey
    /// The private scalar, 32 bytes big-endian; nil if the file holds a public key.
    public let scalar: Bytes<32>?

    /// - Throws: ``KeyFileError``. It refuses a private key that others may read, because it may have leaked.
    public init(path: String) throws(KeyFileError) {
        let (bytes, mode) = try Self.read(path)
        for encoded in EncodedKeys.found(in: bytes) {
            if let key = try? P256.Signing.PrivateKey(derRepresentation: encoded) {
                guard mode & 0o077 == 0 else { throw .tooOpen(path) }
                scalar = Bytes<32>([UInt8](key.rawRepresentation).span)
                publicHalf = try Self.publicHalf(key.publicKey, path)
                return
            }
            if let key = try? P256.Signing.PublicKey(derRepresentation: encoded) {
                scalar = nil
                publicHalf = try Self.publicHalf(key, path)
                return
            }
        }
        throw .noKey(path)
    }

    /// Reads the private scalar from a file.
    /// - Throws: `.publicOnly` if the file holds only a public key.
    public static func privateScalar(path: String) throws(KeyFileError) -> Bytes<32> {
        guard let scalar = try KeyFile(path: path).scalar else { throw .publicOnly(path) }
        return scalar
    }

    /// Reads the file, and its mode.
    private static func read(_ path: String) throws(KeyFileError) -> (bytes: [UInt8], mode: mode_t) {
        do throws(DurableFileError) {
            // The limit is generous: a key file has a few hundred bytes.
            return try DurableFile.contents(of: path, maximumByteCount: 16_384)
        } catch {
            switch error {
            case .absent: throw .absent(path)
            case .cannotRead(_, let code): throw .cannotRead(path, code)
            default: throw .noKey(path)
            }
        }
    }

    private static func publicHalf(
        _ key: P256.Signing.PublicKey, _ path: String
    ) throws(KeyFileError) -> P256PublicKey {
        do throws(CryptographyError) {
            return try P256PublicKey(x963: [UInt8](key.x963Representation).span)
        } catch {
            throw .noKey(path)
        }
    }
}

public enum KeyFileError: Error, Equatable, Sendable {
    case absent(String)
    /// The associated number is the system's error code (errno).
    case cannotRead(String, Int32)
    /// Others than the owner may read the private key.
    case tooOpen(String)
    /// The file holds no P-256 key in PEM or DER.
    case noKey(String)
    /// The file holds a public key where a private key is needed.
    case publicOnly(String)
    /// The file exists and was not overwritten.
    case exists(String)
    case cannotWrite(String, Int32)
}
