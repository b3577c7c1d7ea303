import Cryptography
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
        guard let sealed = try body.bytes("sealed"), sealed.count > SealedRecord.overheadByteCount else {
            throw .invalidValue
        }
        try handOver(sealed, as: .openSecrets, header)
    }

    /// Starts to open the staged record.
    /// - Parameter scalar: The board's private scalar.
    mutating func openSecrets(scalar: Bytes<32>) -> SMPPacket? {
        do throws(CryptographyError) {
            try secrets.start(slice.span.extracting(0..<stagedByteCount), scalar: scalar)
            return nil
        } catch {
            return answerRequest { _ throws(SMPRefusal) in throw .secretsRefused }
        }
    }

    /// Computes one slice, and after the last one hands the record over to the agent.
    /// - Returns: the answer if the record was not sealed for this board.
    mutating func stepSecrets<Store: SyncStore & ~Copyable>(store: inout Store) -> SMPPacket? {
        do throws(CryptographyError) {
            guard var secret = try secrets.step() else { return nil }
            defer { secret.wipe() }
            guard let header = asked, let key = store.publicKeys?.board else { return nil }
            var room = slice.mutableSpan
            var sealed = room.extracting(0..<stagedByteCount)
            let range = try SealedRecord.open(&sealed, secret, key, logIdentity: store.status.logIdentity)
            for index in range { slice[index - range.lowerBound] = slice[index] }
            stagedByteCount = range.count
            ask(.storeSecrets, header)
            return nil
        } catch {
            secrets.cancel()
            return answerRequest { _ throws(SMPRefusal) in throw .secretsRefused }
        }
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
        for index in 0..<stagedByteCount { slice[index] = 0 }
        stagedByteCount = 0
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
