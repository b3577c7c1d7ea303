import Cryptography
import FixedMemory

/// Group 64: reading the board's keys, and setting new ones.
extension SyncResponder {
    /// Returns the keys after the change. The first provisioning must set both keys; later requests may
    /// keep one of them.
    static func newKeys(
        _ body: RequestBody, instead keys: BoardPublicKeys
    ) throws(SMPRefusal) -> BoardPublicKeys {
        var new = keys
        if let ownerKey = try publicKey("opening", body) { new.ownerKey = ownerKey }
        if let operatorKey = try publicKey("operator", body) { new.operatorKey = operatorKey }
        guard new.ownerKey != nil, new.operatorKey != nil else { throw .keysRefused }
        return new
    }

    private static func publicKey(
        _ name: StaticString, _ body: RequestBody
    ) throws(SMPRefusal) -> P256PublicKey? {
        guard let bytes = try body.bytes(name) else { return nil }
        do throws(CryptographyError) { return try P256PublicKey(x963: bytes) } catch { throw .keysRefused }
    }
}
