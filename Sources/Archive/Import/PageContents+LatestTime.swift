import EncounterLog
import FixedMemory
import LogContents

extension PageContents {
    /// The latest time in its entries.
    var latestInstant: Instant? { entries.map(\.latestInstant).max() }
}
