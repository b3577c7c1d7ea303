import Archive

/// The contents of one board's log, and what is missing from it, in a report.
public struct ReportedLog: Sendable {
    public var contents: BoardContents
    /// Erased ranges that the archive lacks, as lines of text.
    public var losses: [String]

    public init(contents: BoardContents = BoardContents(), losses: [String] = []) {
        self.contents = contents
        self.losses = losses
    }
}
