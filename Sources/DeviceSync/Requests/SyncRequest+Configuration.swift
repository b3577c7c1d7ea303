import FixedMemory

/// Requests about what the agent starts anew with, its configuration and secrets, and what is answered.
extension SyncRequest {
    /// Sets keys of it: `section.key=value`, one on a line, in UTF-8.
    public static func setConfiguration(
        _ assignments: Span<UInt8>, sequence: UInt8
    ) throws(CapacityError) -> SMPPacket {
        var packet = SMPPacket(SMPHeader(.write, .configuration, sequence: sequence))
        try packet.append(cborMap: 1)
        try packet.append(key: "set", text: assignments)
        return packet
    }

    /// Gives the board what identities of a scheme follow from: a record of days' keys, or of a registration with Sonar, which
    /// says of itself what it is (docs/keys.md).
    public static func storeSecrets(
        _ record: Span<UInt8>, sequence: UInt8
    ) throws(CapacityError) -> SMPPacket {
        var packet = SMPPacket(SMPHeader(.write, .secrets, sequence: sequence))
        try packet.append(cborMap: 1)
        try packet.append(key: "record", bytes: record)
        return packet
    }
}

extension SyncResponse {
    /// Whether the agent starts anew now, and has in force what was set.
    public func restarts() throws(SyncResponseError) -> Bool {
        do throws(MalformedCBOR) { return try body.unsigned("restarts") == 1 } catch {
            throw .malformed
        }
    }

    /// In words, why a packet refuses what was asked; nil where it does not say. Whoever sent it may have written anything.
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
