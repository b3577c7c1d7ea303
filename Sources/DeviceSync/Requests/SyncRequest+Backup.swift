import FixedMemory

/// The request for a copy of a scheme's secrets, and its answer.
extension SyncRequest {
    /// - Parameters:
    ///   - scheme: the scheme's number in a log entry.
    ///   - context: bytes of the client's choice, which the board signs with the copy.
    public static func backup(
        scheme: UInt8, context: Bytes<32>, sequence: UInt8
    ) throws(CapacityError) -> SMPPacket {
        var packet = SMPPacket(SMPHeader(.write, .backup, sequence: sequence))
        try packet.append(cborMap: 2)
        try packet.append(key: "scheme", unsigned: UInt64(scheme))
        try packet.append(key: "context", bytes: context.span)
        return packet
    }
}

/// A board's answer to a request for a copy of secrets.
public struct BackupAnswer {
    public let state: BackupState
    /// The sealed record (``SealedRecord``); empty unless the state is `.sealed`.
    public let sealed: FixedBuffer<2048>
    /// The board's signature (``BackupStatement``).
    public let signature: Bytes<64>
}

extension SyncResponse {
    /// Returns the copy, which is not verified.
    public func backup() throws(SyncResponseError) -> BackupAnswer {
        do throws(MalformedCBOR) {
            guard let number = try body.unsigned("state"), number <= 0xFF,
                let state = BackupState(rawValue: UInt8(truncatingIfNeeded: number)),
                let bytes = try body.bytes("sealed"), let sealed = FixedBuffer<2048>(bytes),
                sealed.isEmpty == (state != .sealed),
                let signature = try body.block("sig", of: Bytes<64>.self)
            else { throw MalformedCBOR() }
            return BackupAnswer(state: state, sealed: sealed, signature: signature)
        } catch {
            throw .malformed
        }
    }
}
