import FixedMemory

/// Group 64: the data that the agent stores before it restarts: its configuration, and the secrets of its
/// schemes.
extension SyncResponder {
    /// Stages the text for the agent in ``slice``, the buffer that downloads use for their data.
    mutating func askToConfigure(_ body: RequestBody, _ header: SMPHeader) throws(SMPRefusal) {
        guard let text = try body.text("set") else { throw .invalidValue }
        try handOver(text, as: .configure, header)
    }

    mutating func askToStoreSecrets(_ body: RequestBody, _ header: SMPHeader) throws(SMPRefusal) {
        guard let record = try body.bytes("record") else { throw .invalidValue }
        try handOver(record, as: .storeSecrets, header)
    }

    private mutating func handOver(
        _ bytes: Span<UInt8>, as question: AgentRequest, _ header: SMPHeader
    ) throws(SMPRefusal) {
        guard !bytes.isEmpty, bytes.count <= slice.count else { throw .invalidValue }
        for index in bytes.indices { slice[index] = bytes[index] }
        stagedByteCount = bytes.count
        ask(question, header)
    }

    var staged: FixedBuffer<2048> {
        FixedBuffer(slice.span.extracting(0..<stagedByteCount)) ?? FixedBuffer()
    }

    /// - Parameter reason: The reason for a refusal, in UTF-8. If it is empty, the data is accepted; the
    ///   agent then restarts and uses it.
    mutating func answer(_ refusal: SMPRefusal, reason: Span<UInt8>) -> SMPPacket? {
        guard let header = asked else { return nil }
        dropRequest()
        var packet = SMPPacket(header.response, limit: packetByteCount)
        if reason.isEmpty {
            // Even the smallest packet has space for this.
            try? packet.append(cborMap: 1)
            try? packet.append(key: "restarts", unsigned: 1)
        } else {
            Self.write(refusal, into: &packet, version: header.version, reason: reason)
        }
        return packet
    }
}
