import Archive

/// Encounters as a CSV table (RFC 4180): a header line, times in UTC, and empty fields for unknown values.
public enum EncounterCSV {
    public static let columns = [
        "board", "scheme", "identity", "label", "start", "end", "duration_seconds", "clock_error_seconds",
        "readings", "samples", "rssi_minimum_dbm", "rssi_maximum_dbm", "rssi_mean_dbm", "addresses", "boots",
        "start_error_seconds", "end_error_seconds", "clock_basis", "not_before", "not_after",
        "identity_marks", "latitude", "longitude", "claimed", "written_readings", "own_boards",
    ]

    public static func text(_ encounters: [Encounter], among boards: OwnBoards = OwnBoards([])) -> String {
        header + encounters.map { line(of: $0.summary, among: boards) }.joined()
    }

    public static var header: String { line(columns) }

    public static func line(
        of encounter: EncounterSummary, among boards: OwnBoards = OwnBoards([])
    ) -> String {
        line(fields(EncounterDocument(encounter, among: boards)))
    }

    private static func fields(_ encounter: EncounterDocument) -> [String] {
        [
            encounter.board, encounter.scheme ?? "", encounter.identity ?? "", encounter.label,
            encounter.start ?? "", encounter.end ?? "", "\(encounter.durationSeconds)",
            encounter.clockErrorSeconds.map { "\($0)" } ?? "", "\(encounter.readings)",
            "\(encounter.samples)",
            encounter.rssi.minimum.map { "\($0)" } ?? "", encounter.rssi.maximum.map { "\($0)" } ?? "",
            encounter.rssi.mean.map { "\($0)" } ?? "", encounter.addresses.joined(separator: " "),
            "\(encounter.boots)", encounter.startErrorSeconds.map { "\($0)" } ?? "",
            encounter.endErrorSeconds.map { "\($0)" } ?? "", encounter.clockBasis, encounter.notBefore ?? "",
            encounter.notAfter ?? "", encounter.identityMarks.joined(separator: " "),
            encounter.latitude.map { "\($0)" } ?? "", encounter.longitude.map { "\($0)" } ?? "",
            encounter.isClaimed ? "true" : "false", "\(encounter.writtenReadings)",
            encounter.ownBoards.joined(separator: "; "),
        ]
    }

    static func line(_ fields: [String]) -> String {
        var line = ""
        for (place, text) in fields.enumerated() {
            if place > 0 { line += "," }
            line += field(text)
        }
        return line + "\r\n"
    }

    /// Quotes a field if necessary. A text that a spreadsheet would take for a formula gets a leading
    /// apostrophe: labels come off the air, and a beacon's name must not run code on the reader's computer.
    static func field(_ text: String) -> String {
        let isFormula =
            switch text.utf8.first {
            case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"),
                UInt8(ascii: "\t"), UInt8(ascii: "\r"):
                true
            default: false
            }
        let safe = isFormula && Double(text) == nil ? "'" + text : text
        let needsQuotes = safe.utf8.contains { byte in
            byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\r")
                || byte == UInt8(ascii: "\n")
        }
        return needsQuotes ? "\"" + safe.replacing("\"", with: "\"\"") + "\"" : safe
    }
}
