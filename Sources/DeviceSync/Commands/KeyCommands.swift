import Cryptography
import FixedMemory

/// Group 64: reading the board's keys, and setting new ones.
extension SyncResponder {
    func writeKeys(_ keys: BoardPublicKeys, into packet: inout SMPPacket) throws(SMPRefusal) {
        try packet.answer { body throws(CapacityError) in
            try body.append(cborMap: 1 + (keys.opening == nil ? 0 : 1) + (keys.operating == nil ? 0 : 1))
            try body.append(key: "board", bytes: keys.board.x963.span)
            if let opening = keys.opening {
                let fingerprint = opening.fingerprint
                try body.append(key: "opening", bytes: fingerprint.span)
            }
            if let operating = keys.operating {
                let fingerprint = operating.fingerprint
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
        if let opening = try publicKey("opening", body) { new.opening = opening }
        if let operating = try publicKey("operator", body) { new.operating = operating }
        guard new.opening != nil, new.operating != nil else { throw .keysRefused }
        return new
    }

    private static func publicKey(
        _ name: StaticString, _ body: RequestBody
    ) throws(SMPRefusal) -> P256PublicKey? {
        guard let bytes = try body.bytes(name) else { return nil }
        do throws(CryptographyError) { return try P256PublicKey(x963: bytes) } catch { throw .keysRefused }
    }
}
