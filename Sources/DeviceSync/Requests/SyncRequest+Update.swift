import FixedMemory

/// The requests of an update, and their answers.
extension SyncRequest {
    /// Announces an update file.
    /// - Parameter digest: SHA-256 of the whole file.
    public static func expectUpdate(
        byteCount: UInt32, digest: Bytes<32>, sequence: UInt8
    ) throws(CapacityError) -> SMPPacket {
        var packet = SMPPacket(SMPHeader(.write, .update, sequence: sequence))
        try packet.append(cborMap: 2)
        try packet.append(key: "len", unsigned: UInt64(byteCount))
        try packet.append(key: "sha", bytes: digest.span)
        return packet
    }

    /// Sends a piece of the announced file, at most ``largestUpdatePiece`` bytes.
    public static func updatePiece(
        _ piece: Span<UInt8>, offset: UInt32, sequence: UInt8
    ) throws(CapacityError) -> SMPPacket {
        var packet = SMPPacket(SMPHeader(.write, .updatePiece, sequence: sequence))
        try packet.append(cborMap: 2)
        try packet.append(key: "off", unsigned: UInt64(offset))
        try packet.append(key: "data", bytes: piece)
        return packet
    }

    /// A packet has room for so many bytes of a file beside its header and the names.
    public static let largestUpdatePiece = 2_000
}

extension SyncResponse {
    /// Where the next piece of an update file belongs.
    public func updateOffset() throws(SyncResponseError) -> UInt32 {
        do throws(MalformedCBOR) {
            guard let offset = try body.unsigned("off"), offset <= 0xFFFF_FFFF else { throw MalformedCBOR() }
            return UInt32(truncatingIfNeeded: offset)
        } catch {
            throw .malformed
        }
    }
}
