import EncounterLog
import LogContents

extension PageContents {
    /// The latest time that stands in its entries.
    var latestMilliseconds: Int64? {
        entries.map(\.latestMilliseconds).max().map(PageImporter.milliseconds)
    }
}
