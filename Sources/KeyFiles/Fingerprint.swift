import Cryptography
import FixedMemory

extension P256PublicKey {
    /// The fingerprint as people compare it: 32 hexadecimal digits in groups of four.
    public var fingerprintText: String { Fingerprint.text(fingerprint) }
}

public enum Fingerprint {
    public static func text(_ fingerprint: Bytes<16>) -> String {
        let digits = (0..<16).map { index -> String in
            let byte = fingerprint[index]
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return stride(from: 0, to: 16, by: 2).map { digits[$0] + digits[$0 + 1] }.joined(separator: ":")
    }

    /// The fingerprint in a text of 32 hexadecimal digits, with or without colons; nil for any other text.
    public static func bytes(_ text: String) -> Bytes<16>? {
        let digits = text.filter { $0 != ":" }
        guard digits.utf8.count == 32 else { return nil }
        var fingerprint = Bytes<16>()
        for index in 0..<16 {
            let start = digits.index(digits.startIndex, offsetBy: 2 * index)
            guard let byte = UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16) else {
                return nil
            }
            fingerprint[index] = byte
        }
        return fingerprint
    }

    /// The fingerprint of a public key in X9.63 form; nil for other bytes.
    public static func bytes(ofPublicKey key: Bytes<65>) -> Bytes<16>? {
        do throws(CryptographyError) { return try P256PublicKey(x963: key.span).fingerprint } catch {
            return nil
        }
    }
}
