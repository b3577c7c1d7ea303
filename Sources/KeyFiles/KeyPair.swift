import Crypto
import Cryptography
import FixedMemory
import Foundation

/// A fresh key pair that is written to two PEM files: `NAME.pem`, which only its owner may read, and
/// `NAME.pub.pem`.
public struct KeyPair: Sendable {
    private let key = P256.Signing.PrivateKey()

    public init() {}

    public var publicHalf: P256PublicKey? {
        try? P256PublicKey(x963: [UInt8](key.publicKey.x963Representation).span)
    }

    public static func privatePath(_ name: String, in directory: String) -> String {
        URL(filePath: directory).appending(path: "\(name).pem").path
    }

    public static func publicPath(_ name: String, in directory: String) -> String {
        URL(filePath: directory).appending(path: "\(name).pub.pem").path
    }

    /// A public key in PEM (SubjectPublicKeyInfo), as ``write(_:in:)`` writes it.
    public static func publicText(of key: P256PublicKey) -> [UInt8] {
        let bytes = [UInt8](copying: key.subjectPublicKeyInfo.span)
        let pem = (try? P256.Signing.PublicKey(derRepresentation: bytes))?.pemRepresentation ?? ""
        return Array((pem + "\n").utf8)
    }

    /// Writes both files, which are on the medium when this returns.
    public func write(_ name: String, in directory: String) throws(KeyFileError) {
        try Self.write(
            key.pemRepresentation, to: Self.privatePath(name, in: directory), mode: DurableFile.privateMode)
        try Self.write(
            key.publicKey.pemRepresentation, to: Self.publicPath(name, in: directory),
            mode: DurableFile.publicMode)
    }

    /// - Throws: `.exists` for the first of the files that exists.
    public static func requireAbsent(_ names: [String], in directory: String) throws(KeyFileError) {
        for name in names {
            for path in [privatePath(name, in: directory), publicPath(name, in: directory)]
            where FileManager.default.fileExists(atPath: path) {
                throw .exists(path)
            }
        }
    }

    private static func write(_ text: String, to path: String, mode: mode_t) throws(KeyFileError) {
        do throws(DurableFileError) {
            try DurableFile.create(path, Array((text + "\n").utf8), mode: mode)
        } catch {
            switch error {
            case .exists: throw .exists(path)
            case .cannotWrite(_, let code): throw .cannotWrite(path, code)
            default: throw .cannotWrite(path, EIO)
            }
        }
    }
}
