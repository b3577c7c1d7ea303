import Archive

/// Encounters as a CSV table (RFC 4180): a header line, times in UTC, and empty fields for unknown values.
public enum EncounterCSV {
    public static let columns = [
        "board", "scheme", "identity", "label", "start", "end", "duration_seconds", "clock_error_seconds",
        "readings", "samples", "rssi_minimum_dbm", "rssi_maximum_dbm", "rssi_mean_dbm", "addresses", "boots",
        "start_error_seconds", "end_error_seconds", "clock_basis", "not_before", "not_after",
        "identity_marks", "latitude", "longitude", "claimed", "written_readings", "own_boards",
        "person_name",
    ]

    public static func text(_ encounters: [Encounter], among boards: OwnBoards = OwnBoards([])) -> String {
        String(
            decoding: header + encounters.flatMap { line(of: $0.summary, among: boards) }, as: UTF8.self)
    }

    /// UTF-8.
    public static var header: [UInt8] { CSVLine(columns).utf8 }

    /// UTF-8.
    public static func line(
        of encounter: EncounterSummary, among boards: OwnBoards = OwnBoards([])
    ) -> [UInt8] {
        EncounterDocument(encounter, among: boards).csvLine
    }

    fileprivate static func fields(_ encounter: EncounterDocument) -> [String] {
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
            encounter.personName ?? "",
        ]
    }
}

extension EncounterDocument: StreamedRow {
    public static let schema = PrintedSchema("encounters")

    public static var csvHeader: [UInt8] { EncounterCSV.header }

    public var csvLine: [UInt8] { CSVLine(EncounterCSV.fields(self)).utf8 }
}
