import FixedMemory

/// Group 64: an update of the agent. Only its announcement is signed; the pieces must add up to what it
/// announced.
extension SyncResponder {
    /// Stages a piece in ``slice``.
    mutating func stageUpdatePiece(_ body: RequestBody, _ header: SMPHeader) throws(SMPRefusal) {
        guard let offset = try body.unsigned("off"), offset <= 0xFFFF_FFFF,
            let piece = try body.bytes("data"), !piece.isEmpty, piece.count <= slice.count
        else { throw .invalidValue }
        for index in piece.indices { slice[index] = piece[index] }
        stagedByteCount = piece.count
        ask(.storeUpdatePiece(offset: UInt32(truncatingIfNeeded: offset)), header)
    }

    mutating func answer(updateOffset offset: UInt32, restarts: Bool) -> SMPPacket? {
        answerRequest { packet throws(SMPRefusal) in
            try packet.answer { body throws(CapacityError) in
                try body.append(cborMap: restarts ? 2 : 1)
                try body.append(key: "off", unsigned: UInt64(offset))
                if restarts { try body.append(key: "restarts", unsigned: 1) }
            }
        }
    }
}

extension RequestBody {
    func updateAnnouncement() throws(SMPRefusal) -> AgentRequest {
        guard let byteCount = try unsigned("len"), byteCount <= 0xFFFF_FFFF,
            let bytes = try bytes("sha"), let digest = Bytes<32>(bytes)
        else { throw .invalidValue }
        return .expectUpdate(byteCount: UInt32(truncatingIfNeeded: byteCount), digest: digest)
    }
}
