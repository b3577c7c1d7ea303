import Cryptography
import FixedMemory
import Schemes
import TextFormats

/// The code that binds a health authority's certificate to the uploaded keys (tekmac).
///
/// It is HMAC-SHA-256 under the uploader's secret over the keys as text: `key.start.period.risk` each, the
/// key in base64, sorted, and separated by commas.
public enum KeyCommitment {
    /// - Parameter hasRisks: false omits the last item, which is allowed if all are 0.
    public static func text(_ keys: [ExportedKey], hasRisks: Bool = true) -> String {
        keys.map { key in
            var items = [
                Base64.text(key.data), String(UInt32(bitPattern: key.rollingStart ?? 0)),
                String(key.rollingPeriod ?? ExportedKey.standardRollingPeriod),
            ]
            if hasRisks { items.append(String(key.transmissionRisk ?? 0)) }
            return items.joined(separator: ".")
        }.sorted().joined(separator: ",")
    }

    public static func code(of text: String, secret: [UInt8]) throws(CryptographyError) -> Bytes<32> {
        let bytes = Array(text.utf8)
        return try HMACSHA256.code(of: bytes.span, key: secret.span)
    }
}
