import Archive
import Foundation

@testable import Reports

extension EncounterDocument {
    /// All encounters as a JSON array, as `tabardctl encounters --json` prints them.
    static func json(_ encounters: [EncounterSummary]) throws -> Data {
        var elements = PrintedJSON.Elements()
        return try encounters.reduce(into: Data()) { $0 += try elements.next(EncounterDocument($1)) }
            + elements.end
    }
}
