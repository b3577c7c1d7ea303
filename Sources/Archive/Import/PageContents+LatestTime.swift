import EncounterLog
import FixedMemory
import LogContents

extension PageContents {
    /// The latest time that stands in its entries.
    var latestInstant: Instant? { entries.map(\.latestInstant).max() }
}
