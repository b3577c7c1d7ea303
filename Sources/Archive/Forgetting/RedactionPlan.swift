import LogContents

/// Contacts that an archive is to lose, of one board, while what stands in the same pages stays.
public struct RedactionPlan: Sendable {
    /// Contacts of a kind.
    public struct Part: Sendable, Equatable {
        public let kind: ContactKind
        public let encounterCount: Int
        public let identityCount: Int
    }

    public let board: LogIdentity
    public let redaction: Redaction
    /// Of those kinds of which anything goes, in the order of ``ContactRetention/usual``.
    public let parts: [Part]
    public let sampleCount: Int
    /// Encounters of which nobody can say how old they are: these stay.
    public let undatedCount: Int
    public let counts: RedactionCounts
    let selection: ContactSelection

    public var isEmpty: Bool { counts.entryCount == 0 }
}

/// What goes of a log.
public struct RedactionCounts: Sendable, Equatable {
    public internal(set) var entryCount = 0
    /// Of the entries, messages and shared payloads.
    public internal(set) var messageCount = 0
    /// Pages that lose entries.
    public internal(set) var pageCount = 0
    /// Pages of which nobody can say whether something that is to go is in them: closed, of a later version, without their opening.
    public internal(set) var unreadPageCount = 0

    static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.entryCount += right.entryCount
        sum.messageCount += right.messageCount
        sum.pageCount += right.pageCount
        sum.unreadPageCount += right.unreadPageCount
        return sum
    }
}
