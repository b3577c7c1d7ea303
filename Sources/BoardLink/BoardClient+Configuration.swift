import DeviceSync
import FixedMemory

/// How a board is configured, and given what its identities follow from.
extension BoardClient {
    /// What is in force, as a configuration file with who set what.
    public func configuration() throws(LinkError) -> [UInt8] {
        try file(.configuration, limit: 64 << 10)
    }

    /// Sets keys: `section.key=value` each. ``refusalReason`` says why they are refused; then none of them is set.
    /// - Returns: whether the agent starts anew now, to have them in force.
    public func configure(_ assignments: [String]) throws(LinkError) -> Bool {
        let text = Array(assignments.joined(separator: "\n").utf8)
        return try command("configuration") { sequence throws(CapacityError) in
            try SyncRequest.setConfiguration(text.span, sequence: sequence)
        } reading: { response throws(SyncResponseError) in
            try response.restarts()
        }
    }

    /// Has the board keep a record of days' keys (`DayKeys`), or of a registration with Sonar (`SonarRegistrationRecord`).
    /// ``refusalReason`` says why it is refused.
    /// - Returns: whether the agent starts anew now, to have it in force.
    public func provision(_ record: [UInt8]) throws(LinkError) -> Bool {
        try command("secrets") { sequence throws(CapacityError) in
            try SyncRequest.storeSecrets(record.span, sequence: sequence)
        } reading: { response throws(SyncResponseError) in
            try response.restarts()
        }
    }
}
