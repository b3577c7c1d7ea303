import Cryptography
import DeviceSync
import FixedMemory

/// Configuration of a board, and provisioning of the secrets from which its identities are derived.
extension BoardClient {
    /// The effective configuration, as a configuration file that names the origin of each value.
    public func configuration() throws(LinkError) -> [UInt8] {
        try file(.configuration, limit: 64 << 10)
    }

    /// Whether the assignments fit one request.
    public static func canConfigure(_ assignments: [String]) -> Bool {
        (try? SyncRequest.setConfiguration(text(assignments).span, sequence: 0)) != nil
    }

    private static func text(_ assignments: [String]) -> [UInt8] {
        Array(assignments.joined(separator: "\n").utf8)
    }

    /// Sets keys, each given as `section.key=value`. If the board refuses one, it sets none, and
    /// ``refusalReason`` holds its reason.
    /// - Returns: true if the agent now restarts to apply them.
    public func configure(_ assignments: [String]) throws(LinkError) -> Bool {
        let text = Self.text(assignments)
        return try command("configuration") { sequence throws(CapacityError) in
            try SyncRequest.setConfiguration(text.span, sequence: sequence)
        } reading: { response throws(SyncResponseError) in
            try response.restarts()
        }
    }

    /// Stores a record of daily keys (`DayKeys`) or of a Sonar registration (`SonarRegistrationRecord`) on
    /// the board. If the board refuses it, ``refusalReason`` holds its reason.
    ///
    /// - Parameters:
    ///   - boardKey: the key that the board has proved to have. Only its private half can read the record.
    ///   - logIdentity: the board's log.
    /// - Returns: true if the agent now restarts to apply it.
    public func provision(
        _ record: [UInt8], boardKey: P256PublicKey, logIdentity: Bytes<16>
    ) throws(LinkError) -> Bool {
        let sealed: FixedBuffer<2048>
        do throws(CryptographyError) {
            sealed = try SealedRecord.seal(
                record.span, for: boardKey, logIdentity: logIdentity, entropy: .system)
        } catch {
            throw .cannotSeal
        }
        return try command("secrets") { sequence throws(CapacityError) in
            try SyncRequest.storeSecrets(sealed.span, sequence: sequence)
        } reading: { response throws(SyncResponseError) in
            try response.restarts()
        }
    }
}
