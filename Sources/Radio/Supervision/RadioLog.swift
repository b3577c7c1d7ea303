import EncounterLog
import FixedMemory
import Protocols

/// The log as the radio sees it. It gets the radio's entries in the order of the events.
package protocol RadioLog: ~Copyable {
    mutating func append(_ entry: LogEntry, now: Instant)

    /// The controller now has the address of `identity`, so peers see that identity from now on.
    mutating func append(_ identity: OwnIdentity, now: Instant)
}
