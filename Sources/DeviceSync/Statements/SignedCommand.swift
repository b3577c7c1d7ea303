import Cryptography
import FixedMemory

/// A command signed with the operator key; it is valid for one board and only once.
public enum SignedCommand {
    /// Returns the digest to sign: SHA-256("tabard command 1" ‖ the log's identity ‖ the nonce ‖ the
    /// request, header and body).
    public static func digest(
        of request: Span<UInt8>, nonce: Bytes<16>, logIdentity: Bytes<16>
    ) -> Bytes<32> {
        var hash = SHA256()
        var purpose = FixedBuffer<16>()
        try? purpose.append("tabard command 1" as StaticString)
        hash.update(purpose.span)
        hash.update(logIdentity.span)
        hash.update(nonce.span)
        hash.update(request)
        return hash.finish()
    }
}
