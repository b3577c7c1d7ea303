import FixedMemory

/// Requests about the log as a whole.
extension SyncRequest {
    /// Requests the board's signed statement about its log over `nonce`, 16 random bytes.
    public static func manifest(nonce: Bytes<16>, sequence: UInt8) throws(CapacityError) -> SMPPacket {
        var packet = SMPPacket(SMPHeader(.read, .manifest, sequence: sequence))
        try packet.append(cborMap: 1)
        try packet.append(key: "nonce", bytes: nonce.span)
        return packet
    }

    /// Acknowledges that the log is safely stored elsewhere, up to a position.
    public static func acknowledge(
        _ position: SyncPosition, sequence: UInt8
    ) throws(CapacityError) -> SMPPacket {
        var packet = SMPPacket(SMPHeader(.write, .acknowledge, sequence: sequence))
        try packet.append(cborMap: 2)
        try packet.append(key: "segment", unsigned: UInt64(position.segmentOrdinal))
        try packet.append(key: "offset", unsigned: UInt64(position.byteOffset))
        return packet
    }

    public static func erase(
        _ erasure: ErasureRequest, sequence: UInt8
    ) throws(CapacityError) -> SMPPacket {
        var packet = SMPPacket(SMPHeader(.write, .erase, sequence: sequence))
        try packet.append(cborMap: erasure.isForced ? 2 : 1)
        try packet.append(key: "segment", unsigned: UInt64(erasure.firstKeptOrdinal))
        if erasure.isForced { try packet.append(key: "force", unsigned: 1) }
        return packet
    }
}

extension SyncResponse {
    public func manifest() throws(SyncResponseError) -> SignedLogStatement {
        do throws(MalformedCBOR) {
            guard let statement = try body.block("statement", of: Bytes<85>.self),
                let signature = try body.block("sig", of: Bytes<64>.self)
            else { throw MalformedCBOR() }
            return SignedLogStatement(bytes: statement, signature: signature)
        } catch {
            throw .malformed
        }
    }

    /// Returns the number of segments that were erased, or that an acknowledgement covers completely.
    public func segmentCount() throws(SyncResponseError) -> UInt32 {
        do throws(MalformedCBOR) {
            guard let count = try body.unsigned("segments"), count <= 0xFFFF_FFFF else {
                throw MalformedCBOR()
            }
            return UInt32(truncatingIfNeeded: count)
        } catch {
            throw .malformed
        }
    }
}
