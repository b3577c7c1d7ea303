import FixedMemory

/// Group 64: the board's configuration, set by its operator.
extension SyncResponder {
    /// What is to be set waits in ``slice``, where downloads have their data.
    mutating func askToConfigure(_ body: RequestBody, _ header: SMPHeader) throws(SMPRefusal) {
        guard let text = try body.text("set"), !text.isEmpty, text.count <= slice.count else {
            throw .invalidValue
        }
        for index in text.indices { slice[index] = text[index] }
        assignmentByteCount = text.count
        ask(.configure, header)
    }

    var assignments: FixedBuffer<2048> {
        FixedBuffer(slice.span.extracting(0..<assignmentByteCount)) ?? FixedBuffer()
    }

    /// - Parameter reason: why it is refused, in UTF-8; empty if it is not: the agent starts anew, and has it in force.
    mutating func answer(configurationRefusal reason: Span<UInt8>) -> SMPPacket? {
        guard let header = asked else { return nil }
        dropQuestion()
        var packet = SMPPacket(header.response, limit: packetByteCount)
        if reason.isEmpty {
            // The smallest packet has room for this.
            try? packet.append(cborMap: 1)
            try? packet.append(key: "restarts", unsigned: 1)
        } else {
            Self.write(.configurationRefused, into: &packet, version: header.version, reason: reason)
        }
        return packet
    }
}
