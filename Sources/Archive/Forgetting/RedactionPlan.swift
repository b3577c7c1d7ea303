import LogContents

/// The contacts of one board that an archive will lose, while other entries of the same pages stay.
public struct RedactionPlan: Sendable {
    /// The contacts of one kind.
    public struct Part: Sendable, Equatable {
        public let kind: ContactKind
        public let encounterCount: Int
        public let identityCount: Int
    }

    public let board: LogIdentity
    public let redaction: Redaction
    /// The kinds of which contacts are removed, in the order of ``ContactRetention/usual``.
    public let parts: [Part]
    public let sampleCount: Int
    /// Encounters of unknown age, which stay.
    public let undatedCount: Int
    public let counts: RedactionCounts
    let selection: ContactSelection

    public var isEmpty: Bool { counts.entryCount == 0 }
}

/// The extent of a redaction.
public struct RedactionCounts: Sendable, Equatable {
    public internal(set) var entryCount = 0
    /// Messages and shared payloads among these entries.
    public internal(set) var messageCount = 0
    /// Pages that lose entries.
    public internal(set) var pageCount = 0
    /// Unreadable pages that may contain entries to remove: locked pages, pages of a later version, and pages
    /// whose segment header is lost.
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
