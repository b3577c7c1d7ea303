import EncounterLog
import Radio

/// An event that the board's operator should know about. `AgentText` turns its values into a sentence.
public enum AgentNotice: Equatable, BitwiseCopyable, Sendable {
    case radio(RadioNotice)

    // The board's own identity.
    case identityStandingChanged(IdentityStanding)
    /// Another device serves this board's payload. The remedy depends on the board's role.
    case identityDuplicated(LogRole)
    /// The medium did not take a root for day keys, or the keys of it.
    case dayKeysNotStored

    // The log.
    /// Behind the log's end are blocks that cannot be read. The log will overwrite them.
    case staleBlocksFound
    /// At the log's end are pages that this board did not write. The log leaves them out.
    case foreignPagesFound
    /// The medium refuses writes: entries stay in memory.
    case logWriteFailed
    case logWriteResumed
    /// The operator has set a new owner key: new pages are encrypted for it.
    case logOwnerKeyChanged

    /// An update on trial has shown that it runs well.
    case updateConfirmed
    /// The battery is low; the log is committed.
    case batteryLow(percent: UInt8?)
    /// The wearer has marked a moment.
    case momentMarked

    case stopped(encounterCount: UInt32)
}
