import Archive
import BoardLink
import LogContents

/// A port of a ``Dock`` and what goes on there.
public struct DockSlot: Sendable, Equatable {
    public enum State: Sendable, Equatable {
        /// Its turn has not come yet.
        case waiting
        /// Who is there?
        case asking
        case syncing(SyncProgress, elapsedMilliseconds: UInt64)
        /// All that the board had is stored: it may be unplugged.
        case done(SyncSummary)
        case failed(DockFailure)
    }

    public internal(set) var port: PluggedPort
    public internal(set) var isPluggedIn = true
    public internal(set) var state = State.waiting
    /// Nil until somebody has answered there.
    public internal(set) var board: LogIdentity?
    /// What the operator calls that board.
    public internal(set) var label: String?
    /// A session is under way.
    public internal(set) var isBusy = false
    /// When the next one begins, by the dock's clock; nil: when something else is plugged in.
    public internal(set) var nextMilliseconds: UInt64?
    /// The last session fetched something and did not end well.
    public internal(set) var isUnfinished = false
    /// By all sessions.
    public internal(set) var fetchedByteCount = 0
    public internal(set) var doneCount = 0
    /// In a row.
    var failureCount: UInt64 = 0

    init(_ port: PluggedPort, nowMilliseconds now: UInt64) {
        self.port = port
        nextMilliseconds = now
    }
}

public enum DockFailure: Error, Equatable, Sendable {
    case sync(SyncError)
    /// Speaks SMP, and is no Tabard.
    case otherServer(port: String)
    /// The board is being fetched from through another port.
    case sameBoard(port: String, other: String)
}
