import Cryptography
import FixedMemory

/// Signs an installation's requests: HMAC-SHA-256 over the text of the time in `Sonar-Request-Timestamp`, and
/// the body's bytes as sent. The code goes into `Sonar-Message-Signature`, in base64.
public enum SonarRequest {
    public static func signature(
        timestamp: Span<UInt8>, body: Span<UInt8>, secret: Bytes<32>
    ) throws(SonarRefusal) -> Bytes<32> {
        do throws(CryptographyError) {
            var code = try HMACSHA256(key: secret.span)
            try code.update(timestamp)
            try code.update(body)
            return try code.finish()
        } catch {
            throw .cryptography
        }
    }
}
