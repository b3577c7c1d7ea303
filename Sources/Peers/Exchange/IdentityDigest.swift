import FixedMemory
import Schemes

/// Short forms of Herald identities.
public enum IdentityDigest {
    /// The FNV-1a hash of an identity, but never 0.
    public static func of(_ identity: FixedBuffer<512>) -> UInt32 {
        var digest: UInt32 = 0x811c_9dc5
        let bytes = identity.span
        for index in bytes.indices { digest = (digest ^ UInt32(bytes[index])) &* 0x0100_0193 }
        return max(digest, 1)
    }

    /// Whether the identity names a device. All phones whose keys have run out send zeros (docs/peers.md);
    /// zeros join no peers.
    @inline(never)
    static func namesDevice(_ identity: FixedBuffer<512>) -> Bool {
        do throws(HeraldPayloadError) {
            return try HeraldPayload(parsing: identity.span).isIdentity
        } catch {
            return true
        }
    }
}
