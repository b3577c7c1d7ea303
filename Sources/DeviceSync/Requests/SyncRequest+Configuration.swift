import FixedMemory

/// Requests that set the configuration and the secrets, which the agent uses from its next start on, and
/// their answers.
extension SyncRequest {
    /// Sets configuration keys: `section.key=value`, one on each line, in UTF-8.
    public static func setConfiguration(
        _ assignments: Span<UInt8>, sequence: UInt8
    ) throws(CapacityError) -> SMPPacket {
        var packet = SMPPacket(SMPHeader(.write, .configuration, sequence: sequence))
        try packet.append(cborMap: 1)
        try packet.append(key: "set", text: assignments)
        return packet
    }

    /// Sends the secrets from which identities of a scheme are derived: a record of day keys, or of a
    /// registration with Sonar, sealed for the board by ``SealedRecord``. The first bytes of the record name
    /// its kind (docs/keys.md).
    public static func storeSecrets(
        _ sealed: Span<UInt8>, sequence: UInt8
    ) throws(CapacityError) -> SMPPacket {
        var packet = SMPPacket(SMPHeader(.write, .secrets, sequence: sequence))
        try packet.append(cborMap: 1)
        try packet.append(key: "sealed", bytes: sealed)
        return packet
    }
}

extension SyncResponse {
    /// Returns whether the agent now restarts with the new values.
    public func restarts() throws(SyncResponseError) -> Bool {
        do throws(MalformedCBOR) { return try body.unsigned("restarts") == 1 } catch {
            throw .malformed
        }
    }

    /// Returns the text that explains a refusal; nil if the packet has none. The text is untrusted: the
    /// sender may have written anything.
    public static func reason(_ frame: Span<UInt8>) -> FixedBuffer<1024>? {
        guard frame.count > SMPHeader.byteCount else { return nil }
        do throws(MalformedCBOR) {
            let body = try CBORMap(orEmpty: frame.extracting(SMPHeader.byteCount..<frame.count))
            guard let reason = try body.text("rsn") else { return nil }
            return FixedBuffer(reason)
        } catch {
            return nil
        }
    }
}
