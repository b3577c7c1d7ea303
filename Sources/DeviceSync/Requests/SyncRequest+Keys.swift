import Cryptography
import FixedMemory

/// Requests about keys, and the envelope for commands that a board accepts only if they are signed.
extension SyncRequest {
    public static func keys(sequence: UInt8) -> SMPPacket {
        SMPPacket(SMPHeader(.read, .keys, sequence: sequence))
    }

    /// Sets new public keys; the board keeps its key where the argument is nil.
    public static func setKeys(
        ownerKey: P256PublicKey?, operatorKey: P256PublicKey?, sequence: UInt8
    ) throws(CapacityError) -> SMPPacket {
        var packet = SMPPacket(SMPHeader(.write, .keys, sequence: sequence))
        try packet.append(cborMap: (ownerKey == nil ? 0 : 1) + (operatorKey == nil ? 0 : 1))
        if let ownerKey { try packet.append(key: "opening", bytes: ownerKey.x963.span) }
        if let operatorKey { try packet.append(key: "operator", bytes: operatorKey.x963.span) }
        return packet
    }

    /// Requests the nonce that the next signed command must use.
    public static func nonce(sequence: UInt8) -> SMPPacket {
        SMPPacket(SMPHeader(.read, .nonce, sequence: sequence))
    }

    /// Wraps `request` in an envelope.
    /// - Parameter signature: The signature of ``SignedCommand/digest(of:nonce:logIdentity:)``; r and s,
    ///   big-endian.
    public static func signed(
        _ request: SMPPacket, signature: Bytes<64>, sequence: UInt8
    ) throws(CapacityError) -> SMPPacket {
        var packet = SMPPacket(SMPHeader(.write, .signed, sequence: sequence))
        try packet.append(cborMap: 2)
        try packet.append(key: "req", bytes: request.span)
        try packet.append(key: "sig", bytes: signature.span)
        return packet
    }
}
