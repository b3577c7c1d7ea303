import Archive

/// The one board or person that a report is about.
public struct ReportDetail: Sendable {
    public let subject: String
    /// In order of time.
    public let meetings: [Meeting]
    /// How many of them are shown: the first ones.
    var shownCount = 500
    /// The number of encounters of the board with identities of no board; zero for a person.
    public let strangerCount: Int
    /// The times in which the board did not listen; empty for a person.
    public let unheard: [UnheardTime]
    public let distances: ContactDistances

    public init(
        subject: String, meetings: [Meeting], strangerCount: Int, unheard: [UnheardTime],
        distances: ContactDistances
    ) {
        self.subject = subject
        self.meetings = meetings
        self.strangerCount = strangerCount
        self.unheard = unheard
        self.distances = distances
    }
}
