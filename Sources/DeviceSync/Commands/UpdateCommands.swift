import FixedMemory

/// Group 64: an update of the agent. Only its announcement is signed; the pieces must add up to what it
/// announced.
extension SyncResponder {
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
    /// Where a piece of an update file belongs.
    func updateOffset() throws(SMPRefusal) -> UInt32 {
        guard let offset = try unsigned("off"), offset <= 0xFFFF_FFFF else { throw .invalidValue }
        return UInt32(truncatingIfNeeded: offset)
    }

    func updateAnnouncement() throws(SMPRefusal) -> AgentRequest {
        guard let byteCount = try unsigned("len"), byteCount <= 0xFFFF_FFFF,
            let bytes = try bytes("sha"), let digest = Bytes<32>(bytes)
        else { throw .invalidValue }
        return .expectUpdate(byteCount: UInt32(truncatingIfNeeded: byteCount), digest: digest)
    }
}
