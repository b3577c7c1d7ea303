import Crypto
import Cryptography
import FixedMemory
import Foundation

/// A P-256 key in a PEM file: a private one (PKCS #8 or SEC 1) or a public one (SubjectPublicKeyInfo).
public struct KeyFile: Sendable {
    public let publicHalf: P256PublicKey
    /// 32 bytes big-endian; nil in a file of a public half.
    public let scalar: Bytes<32>?

    /// - Throws: ``KeyFileError``; a private half that others may read is refused, for they may have.
    public init(path: String) throws(KeyFileError) {
        let (text, mode) = try Self.read(path)
        if let key = try? P256.Signing.PrivateKey(pemRepresentation: text) {
            guard mode & 0o077 == 0 else { throw .tooOpen(path) }
            scalar = Bytes<32>([UInt8](key.rawRepresentation).span)
            publicHalf = try Self.publicHalf(key.publicKey, path)
        } else if let key = try? P256.Signing.PublicKey(pemRepresentation: text) {
            scalar = nil
            publicHalf = try Self.publicHalf(key, path)
        } else {
            throw .noKey(path)
        }
    }

    /// The private half.
    /// - Throws: `.publicOnly` when there is none in the file.
    public static func privateScalar(path: String) throws(KeyFileError) -> Bytes<32> {
        guard let scalar = try KeyFile(path: path).scalar else { throw .publicOnly(path) }
        return scalar
    }

    /// The text, and who may read the file.
    private static func read(_ path: String) throws(KeyFileError) -> (text: String, mode: mode_t) {
        do throws(DurableFileError) {
            // A key's file has some hundreds.
            let (bytes, mode) = try DurableFile.contents(of: path, maximumByteCount: 16_384)
            return (String(decoding: bytes, as: UTF8.self), mode)
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
    /// With the system's number for the reason (errno).
    case cannotRead(String, Int32)
    /// A private half that others than its owner may read.
    case tooOpen(String)
    /// No P-256 key in PEM.
    case noKey(String)
    /// A public half where the private one is needed.
    case publicOnly(String)
    /// It was not overwritten.
    case exists(String)
    case cannotWrite(String, Int32)
}
