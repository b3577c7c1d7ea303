import BoardCommandLine
import CLinux
import Cryptography
import DeviceSync
import FixedMemory
import LinuxPlatform

/// A public key of P-256 in a PEM file, as `tabardctl keys new` writes it: SubjectPublicKeyInfo (RFC 5480),
/// 91 bytes of DER in Base64 (RFC 7468).
enum PublicKeyFile {
    enum Failure: Error {
        case system(Int32)
        /// The file has a private key, which must not be on a board.
        case privateKey
        case notAKey

        var words: StaticString {
            switch self {
            case .system: "cannot be read"
            case .privateKey: "a private key; give the board the public half, NAME.pub.pem"
            case .notAKey: "no public key of P-256 in PEM; give the file NAME.pub.pem of tabardctl keys new"
            }
        }
    }

    private static let begin: StaticString = "-----BEGIN PUBLIC KEY-----"
    private static let end: StaticString = "-----END PUBLIC KEY-----"
    /// The DER before the point: the algorithm id-ecPublicKey with the curve prime256v1, and a bit string.
    private static var header: KnownBytes {
        KnownBytes("3059301306072a8648ce3d020106082a8648ce3d030107034200")
    }

    static func read(_ path: Argument) throws(Failure) -> P256PublicKey {
        var text = Bytes<4096>()
        let count = text.readStart(of: path.pointer)
        guard count >= 0 else { throw .system(Int32(truncatingIfNeeded: -count)) }
        return try parse(text.span.extracting(0..<count))
    }

    private static func parse(_ text: Span<UInt8>) throws(Failure) -> P256PublicKey {
        guard text.offset(of: "PRIVATE KEY-----") == nil else { throw .privateKey }
        guard let start = text.offset(of: begin) else { throw .notAKey }
        let rest = text.extracting(start + begin.utf8CodeUnitCount..<text.count)
        guard let length = rest.offset(of: end) else { throw .notAKey }
        var key = FixedBuffer<96>()
        guard decode(rest.extracting(0..<length), into: &key) else { throw .notAKey }
        let (header, point) = (Self.header, Self.header.count)
        guard key.count == point + 65, key.span.extracting(0..<point).isEqual(to: header.span) else {
            throw .notAKey
        }
        do throws(CryptographyError) {
            return try P256PublicKey(x963: key.span.extracting(point..<point + 65))
        } catch {
            throw .notAKey
        }
    }

    /// Decodes Base64 with line ends (RFC 4648, 4).
    private static func decode(_ text: Span<UInt8>, into bytes: inout FixedBuffer<96>) -> Bool {
        var (bits, bitCount): (UInt32, UInt32) = (0, 0)
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: " "), UInt8(ascii: "="): continue
            default: break
            }
            guard let value = Base64Alphabet.value(text[index]) else { return false }
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            guard (try? bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))) != nil else {
                return false
            }
        }
        return true
    }
}
