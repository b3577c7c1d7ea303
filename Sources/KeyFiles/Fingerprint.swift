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
}
