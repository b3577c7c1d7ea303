import EncounterLog
import LogContents

/// What checking a board's log has found.
public struct LogVerification: Sendable, Equatable {
    public let board: LogIdentity
    public var segmentCount = 0
    public var byteCount = 0
    /// Pages that can be read as such.
    public var pageCount = 0
    /// Of these, in the chain.
    public var chainedPageCount = 0
    /// Of these, sealed and opened: their seals are right.
    public var openedPageCount = 0
    public var closedPageCount = 0
    /// Of these, such as lost entries on purpose.
    public var redactedPageCount = 0
    /// As the pages of the chain say.
    public var entryCount = 0
    /// Openings that the board's key has signed, and manifests.
    public var signatureCount = 0
    public var manifestCount = 0
    /// Everything up to here is in a chain whose value the board has signed.
    public var signedThrough: LogPosition?
    /// In the log's order, what concerns all of it first.
    public var findings: [LogFinding] = []

    init(board: LogIdentity) { self.board = board }

    /// The worst that was found.
    public var severity: LogFinding.Severity { findings.map(\.severity).max() ?? .note }

    /// Nothing was changed, and nothing that was here is lost. There may be gaps.
    public var isSound: Bool { severity < .damage }
}
