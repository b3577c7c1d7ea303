import Configuration
import Cryptography
import DeviceSync
import FixedMemory
import Schemes

/// Settings and secrets that a client stages and the board stores. They take effect at the next start.
extension Agent {
    private static var restartDelay: Interval { .seconds(1) }

    /// Checks a client's settings with the checks of a configuration file, and stores them.
    /// - Returns: why the board does not store them; nil if it does.
    @inline(never)
    mutating func configure(now: Instant) -> StoreRefusal? {
        do throws(ConfigurationError) {
            var changed = settings.configuration
            let assignments = port.server.staged
            try changed.change(assignments.span)
            try changed.validate()
            var changes = FixedBuffer<8192>()
            try? changed.write(to: &changes, onlyChanges: true)
            let isStored = board.store(configuration: changes.span)
            if isStored { settings.configuration = changed }
            return finishStoring(isStored, now: now)
        } catch {
            return .configuration(error)
        }
    }

    /// Stores the secrets from which the identities of a scheme follow.
    /// - Returns: why the board does not store it; nil if it does.
    @inline(never)
    mutating func storeSecrets(now: Instant) -> StoreRefusal? {
        var record = port.server.staged
        defer { record.wipe() }
        if var keys = try? DayKeys(record: record.span) {
            defer { keys.wipe() }
            return finishStoring(board.store(keys), now: now)
        }
        guard SonarRegistrationRecord.decode(record.span) != nil else { return .unknownRecord }
        return finishStoring(board.store(sonarRegistration: record.span), now: now)
    }

    private mutating func finishStoring(_ isStored: Bool, now: Instant) -> StoreRefusal? {
        guard isStored else { return .notStored }
        plannedEnd.plan(.configured, at: now + Self.restartDelay)
        return nil
    }

    /// The reason that the client gets: it is empty unless the board refuses.
    func reason(for refusal: StoreRefusal?) -> FixedBuffer<1024> {
        var reason = FixedBuffer<1024>()
        guard let refusal else { return reason }
        board.explain(refusal, to: &reason)
        // A refusal must not look like a success, even if the board writes no reason.
        if reason.isEmpty { try? reason.append(UInt8(ascii: "?")) }
        return reason
    }
}
