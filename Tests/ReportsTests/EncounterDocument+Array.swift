import Archive
import Foundation

@testable import Reports

extension EncounterDocument {
    /// All encounters in JSON, as `tabardctl encounters --json` prints them.
    static func json(_ encounters: [EncounterSummary]) throws -> Data {
        try PrintedJSON.data(rows: encounters.map { EncounterDocument($0) })
    }
}
