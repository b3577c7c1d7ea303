import Cryptography
import FixedMemory

/// Group 64: reading the board's keys, and setting new ones.
extension RequestBody {
    /// Returns the keys after the change. The first provisioning must set both keys; later requests may
    /// keep one of them.
    func keys(instead keys: BoardPublicKeys) throws(SMPRefusal) -> BoardPublicKeys {
        var new = keys
        if let ownerKey = try publicKey("opening") { new.ownerKey = ownerKey }
        if let operatorKey = try publicKey("operator") { new.operatorKey = operatorKey }
        guard new.ownerKey != nil, new.operatorKey != nil else { throw .keysRefused }
        return new
    }

    private func publicKey(_ name: StaticString) throws(SMPRefusal) -> P256PublicKey? {
        guard let bytes = try bytes(name) else { return nil }
        do throws(CryptographyError) { return try P256PublicKey(x963: bytes) } catch { throw .keysRefused }
    }
}
