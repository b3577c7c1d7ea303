import Cryptography
import FixedMemory
import LogContents

/// Codes in place of names and identities. Only the owner of the secret can compute them again, and so find
/// the person of a code.
public struct Pseudonyms: Sendable {
    private let secret: [UInt8]

    /// The number of bytes of a new secret.
    public static let secretByteCount = 32
    /// Fewer could be guessed.
    public static let fewestBytes = 16

    /// Nil for a secret that is too short.
    public init?(secret: [UInt8]) {
        guard secret.count >= Self.fewestBytes else { return nil }
        self.secret = secret
    }

    /// "P" and 12 hexadecimal digits: the first 6 bytes of HMAC-SHA-256 over the subject.
    ///
    /// - Parameter subject: bytes that only this subject has.
    func code(of subject: [UInt8]) -> String { "P" + digits(of: subject, byteCount: 6) }

    /// A digest of the evidence in place of ``Archive/evidenceDigest()``, from which one who has the archive
    /// could tell where the data are from: 32 hexadecimal digits.
    func evidence(_ digest: String) -> String { digits(of: [3] + Array(digest.utf8), byteCount: 16) }

    private func digits(of subject: [UInt8], byteCount: Int) -> String {
        do throws(CryptographyError) {
            let code = try HMACSHA256.code(of: subject.span, key: secret.span)
            return Array([UInt8](copying: code.span).prefix(byteCount)).hexadecimal
        } catch {
            // The computation lacked memory. An export must not fall back to the name.
            return ""
        }
    }
}
