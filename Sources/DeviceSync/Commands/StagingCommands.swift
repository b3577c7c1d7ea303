import Cryptography
import FixedMemory

/// Group 64: the data that the agent stores before it restarts: its configuration, and the secrets of its
/// schemes.
extension SyncResponder {
    /// Stages the bytes of a request in ``slice``, the buffer that downloads use for their data.
    /// - Parameters:
    ///   - bytes: more than `minimum` bytes; nil if the request has none.
    ///   - question: what the agent is then asked.
    mutating func stage(
        _ bytes: Span<UInt8>?, longerThan minimum: Int = 0, _ question: AgentRequest, _ header: SMPHeader
    ) throws(SMPRefusal) {
        guard let bytes, bytes.count > minimum, bytes.count <= slice.count else { throw .invalidValue }
        for index in bytes.indices { slice[index] = bytes[index] }
        stagedByteCount = bytes.count
        ask(question, header)
    }

    /// Computes one slice, and after the last one hands the record over to the agent.
    /// - Returns: the answer if the record was not sealed for this board.
    mutating func stepSecrets<Store: SyncStore & ~Copyable>(store: inout Store) -> SMPPacket? {
        do throws(CryptographyError) {
            guard var secret = try secrets.step() else { return nil }
            defer { secret.wipe() }
            guard let header = asked else { return nil }
            var room = slice.mutableSpan
            var sealed = room.extracting(0..<stagedByteCount)
            try SealedRecord.open(&sealed, secret, .provisioning, logIdentity: store.status.logIdentity)
            stagedByteCount -= SealedRecord.overheadByteCount
            for index in 0..<stagedByteCount { slice[index] = slice[index + SealedRecord.ephemeralByteCount] }
            ask(.storeSecrets, header)
            return nil
        } catch {
            secrets.cancel()
            return answerRequest { _ throws(SMPRefusal) in throw .secretsRefused }
        }
    }

    var staged: FixedBuffer<2048> {
        FixedBuffer(slice.span.extracting(0..<stagedByteCount)) ?? FixedBuffer()
    }

    /// - Parameter reason: The reason for a refusal, in UTF-8. If it is empty, the data is accepted; the
    ///   agent then restarts and uses it.
    mutating func answer(_ refusal: SMPRefusal, reason: Span<UInt8>) -> SMPPacket? {
        guard let header = asked else { return nil }
        dropRequest()
        // The record is the board's now, and stays nowhere else.
        for index in slice.indices { slice[index] = 0 }
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
