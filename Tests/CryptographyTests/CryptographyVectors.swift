import FixedMemory
import TestSupport

/// The published known answers in Tests/Vectors/cryptography.json; all bytes are in hexadecimal.
struct CryptographyVectors: Decodable {
    struct Digest: Decodable {
        let source, message, digest: String
    }
    struct Code: Decodable {
        let source, key, message, code: String
    }
    struct Derivation: Decodable {
        let source, secret, info, key: String
        let salt: String?
    }
    struct GCM: Decodable {
        let source, key, nonce, text, additional, sealed, tag: String
    }
    struct CTR: Decodable {
        let source, key, counter, text, sealed: String
    }
    struct Agreement: Decodable {
        let source, scalar, publicKey, peer, secret: String
    }
    struct Signature: Decodable {
        let source, scalar, publicKey, message, signature: String
    }
    struct RefusedKey: Decodable {
        let why, publicKey: String
    }

    let sha256: [Digest]
    let hmacSHA256: [Code]
    let hkdfSHA256, x963SHA256: [Derivation]
    let aesGCM: [GCM]
    let aesCTR: [CTR]
    let p256Agreement: [Agreement]
    let p256Signature: [Signature]
    let p256RefusedPublicKeys: [RefusedKey]
    let p256RefusedScalars: [String]

    static func load() throws -> CryptographyVectors { try Vectors.load("cryptography.json") }
}

extension Bytes {
    /// Traps on any other length because the text comes from a vector file.
    init(hex: String) {
        guard let bytes = Bytes([UInt8](hex: hex).span) else {
            preconditionFailure("\(hex) has another length")
        }
        self = bytes
    }

    var hex: String { (0..<count).map { self[$0] }.hex }
}
