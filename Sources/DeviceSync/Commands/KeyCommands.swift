import Cryptography
import FixedMemory

/// Group 64: reading the board's keys, and setting new ones.
extension SyncResponder {
    func writeKeys(_ keys: BoardPublicKeys, into packet: inout SMPPacket) throws(SMPRefusal) {
        try packet.answer { body throws(CapacityError) in
            try body.append(cborMap: 1 + (keys.ownerKey == nil ? 0 : 1) + (keys.operatorKey == nil ? 0 : 1))
            try body.append(key: "board", bytes: keys.board.x963.span)
            if let ownerKey = keys.ownerKey {
                let fingerprint = ownerKey.fingerprint
                try body.append(key: "opening", bytes: fingerprint.span)
            }
            if let operatorKey = keys.operatorKey {
                let fingerprint = operatorKey.fingerprint
                try body.append(key: "operator", bytes: fingerprint.span)
            }
        }
    }

    /// Returns the keys after the change. The first provisioning must set both keys; later requests may keep
    /// one of them.
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
