import FixedMemory

/// The request for a copy of a scheme's secrets, and its answer.
extension SyncRequest {
    /// - Parameter scheme: the scheme's number in a log entry; 0 for a signature of the configuration alone.
    public static func backup(scheme: UInt8, sequence: UInt8) throws(CapacityError) -> SMPPacket {
        var packet = SMPPacket(SMPHeader(.write, .backup, sequence: sequence))
        try packet.append(cborMap: 1)
        try packet.append(key: "scheme", unsigned: UInt64(scheme))
        return packet
    }
}

extension SyncResponse {
    /// Returns the sealed record, which is empty if the board has no secrets of the scheme, and the board's
    /// signature (``BackupStatement``).
    public func backup() throws(SyncResponseError) -> (sealed: FixedBuffer<2048>, signature: Bytes<64>) {
        do throws(MalformedCBOR) {
            guard let bytes = try body.bytes("sealed"), let sealed = FixedBuffer<2048>(bytes),
                let signature = try body.block("sig", of: Bytes<64>.self)
            else { throw MalformedCBOR() }
            return (sealed, signature)
        } catch {
            throw .malformed
        }
    }
}
