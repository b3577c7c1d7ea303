import Configuration
import Cryptography
import DeviceSync
import FixedMemory
import Schemes

/// What a client hands over to be kept: it is in force after a start.
extension Agent {
    private static var restartDelayMilliseconds: UInt64 { 1_000 }

    /// Puts what a client sets onto the medium, checked as a file is. Why not, if it is refused.
    @inline(never)
    mutating func configure(nowMilliseconds now: UInt64) -> FixedBuffer<1024> {
        var reason = FixedBuffer<1024>()
        do throws(ConfigurationError) {
            var changed = settings.configuration
            let assignments = sync.handedOver
            try changed.change(assignments.span)
            try changed.validate()
            var changes = FixedBuffer<8192>()
            try? changed.write(to: &changes, onlyChanges: true)
            let isStored = board.store(configuration: changes.span)
            if isStored { settings.configuration = changed }
            noteStored(isStored, orWhyNot: &reason, nowMilliseconds: now)
        } catch {
            try? error.write(to: &reason)
        }
        return reason
    }

    /// Puts what identities of a scheme follow from onto the medium. Why not, if it is refused.
    @inline(never)
    mutating func storeSecrets(nowMilliseconds now: UInt64) -> FixedBuffer<1024> {
        var reason = FixedBuffer<1024>()
        var record = sync.handedOver
        defer { record.wipe() }
        if var keys = try? DayKeys(record: record.span) {
            noteStored(board.store(keys), orWhyNot: &reason, nowMilliseconds: now)
            keys.wipe()
        } else if SonarRegistrationRecord.decode(record.span) != nil {
            let isStored = board.store(sonarRegistration: record.span)
            noteStored(isStored, orWhyNot: &reason, nowMilliseconds: now)
        } else {
            try? reason.append("neither days' keys nor a registration, or damaged")
        }
        return reason
    }

    private mutating func noteStored(
        _ isStored: Bool, orWhyNot reason: inout FixedBuffer<1024>, nowMilliseconds now: UInt64
    ) {
        if isStored {
            restartMilliseconds = now + Self.restartDelayMilliseconds
        } else {
            try? reason.append("the board cannot keep it; look at its medium")
        }
    }
}
