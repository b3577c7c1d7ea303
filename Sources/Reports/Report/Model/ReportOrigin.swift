/// The source of a report: evidence, options and program, enough to make it again.
public struct ReportOrigin: Sendable {
    /// The archive's evidence, as ``Archive/evidenceDigest()`` names it. The archive's path would differ from
    /// computer to computer.
    public var evidence: String
    public var toolVersion: String
    /// The options as given.
    public var filterDescription: [String]
    /// The number of encounters in the archive, if the options leave none of them.
    public var recordedEncounterCount: Int
    /// The command that prints the encounters of this report.
    public var rowsCommand: String

    public init(
        evidence: String, toolVersion: String, filterDescription: [String] = [],
        recordedEncounterCount: Int = 0, rowsCommand: String = "tabardctl encounters --csv"
    ) {
        self.evidence = evidence
        self.toolVersion = toolVersion
        self.filterDescription = filterDescription
        self.recordedEncounterCount = recordedEncounterCount
        self.rowsCommand = rowsCommand
    }
}
