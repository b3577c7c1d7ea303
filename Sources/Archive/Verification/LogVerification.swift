import EncounterLog
import FixedMemory
import LogContents

/// The result of verifying a board's log.
public struct LogVerification: Sendable, Equatable {
    public let board: LogIdentity
    public var segmentCount = 0
    public var byteCount = 0
    /// The number of readable pages.
    public var pageCount = 0
    /// The number of these that are in the chain.
    public var chainedPageCount = 0
    /// The number of these that were decrypted and whose seals are valid.
    public var openedPageCount = 0
    public var lockedPageCount = 0
    /// The number of these from which entries were deliberately removed.
    public var redactedPageCount = 0
    /// The number of entries according to the links of the pages.
    public var entryCount = 0
    /// The number of valid signatures of segment headers and manifests.
    public var signatureCount = 0
    public var manifestCount = 0
    /// The end of the part that is in a chain whose value the board has signed.
    public var signedThrough: LogPosition?
    /// When the board signed the newest manifest whose end of the log is here; nil without one. Up to this
    /// moment of the board's clock the log is complete.
    public var completeThrough: LogHole.Moment?
    /// In log order; findings about the whole log come first.
    public var findings: [LogFinding] = []

    init(board: LogIdentity) { self.board = board }

    /// The worst severity of all findings.
    public var severity: LogFinding.Severity { findings.map(\.severity).max() ?? .note }

    /// True if nothing was changed and nothing stored was lost. Gaps may exist.
    public var isSound: Bool { severity < .damage }

    /// True if the rest of the log can be fetched, and nothing contradicts the stored part.
    public var isUnfinished: Bool {
        severity == .unproven
            && findings.contains { if case .fetchUnfinished = $0.kind { true } else { false } }
    }

    /// Calls a missing end unfinished if the statement about it came after the last fetch that was finished.
    ///
    /// - Parameter statements: the ends that the board stated, and when they were received.
    mutating func noteUnfinishedFetch(
        of statements: [(end: LogPosition, receivedAt: WallClockTime)], lastSync: WallClockTime?
    ) {
        for index in findings.indices {
            guard case .endMissing(let end) = findings[index].kind,
                statements.contains(where: {
                    $0.end == end && $0.receivedAt > lastSync ?? WallClockTime(milliseconds: 0)
                })
            else { continue }
            findings[index].kind = .fetchUnfinished(end)
        }
    }
}
