import DeviceSync
import FixedMemory

/// Configuration of a board, and provisioning of the secrets from which its identities are derived.
extension BoardClient {
    /// The effective configuration, as a configuration file that names the origin of each value.
    public func configuration() throws(LinkError) -> [UInt8] {
        try file(.configuration, limit: 64 << 10)
    }

    /// Sets keys, each given as `section.key=value`. If the board refuses one, it sets none, and
    /// ``refusalReason`` holds its reason.
    /// - Returns: true if the agent now restarts to apply them.
    public func configure(_ assignments: [String]) throws(LinkError) -> Bool {
        let text = Array(assignments.joined(separator: "\n").utf8)
        return try command("configuration") { sequence throws(CapacityError) in
            try SyncRequest.setConfiguration(text.span, sequence: sequence)
        } reading: { response throws(SyncResponseError) in
            try response.restarts()
        }
    }

    /// Stores a record of daily keys (`DayKeys`) or of a Sonar registration (`SonarRegistrationRecord`) on
    /// the board. If the board refuses it, ``refusalReason`` holds its reason.
    /// - Returns: true if the agent now restarts to apply it.
    public func provision(_ record: [UInt8]) throws(LinkError) -> Bool {
        try command("secrets") { sequence throws(CapacityError) in
            try SyncRequest.storeSecrets(record.span, sequence: sequence)
        } reading: { response throws(SyncResponseError) in
            try response.restarts()
        }
    }
}
