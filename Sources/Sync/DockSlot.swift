import Archive
import BoardLink
import FixedMemory
import LogContents

/// A port of a ``Dock`` with its session state.
public struct DockSlot: Sendable, Equatable {
    public enum State: Sendable, Equatable {
        /// The session has not started yet.
        case waiting
        /// The session identifies the board.
        case asking
        case syncing(SyncProgress, elapsed: Interval)
        /// All data of the board is stored, so it may be unplugged.
        case done(SyncSummary)
        case failed(DockFailure)
    }

    public internal(set) var port: PluggedPort
    public internal(set) var isPluggedIn = true
    public internal(set) var state = State.waiting
    /// Nil until a board has answered on this port.
    public internal(set) var board: LogIdentity?
    /// The name that the operator gave the board.
    public internal(set) var label: String?
    /// True while a session runs.
    public internal(set) var isBusy = false
    /// When the next session starts, by the dock's clock; nil if only after another device is plugged in.
    public internal(set) var next: Instant?
    /// True if the last session fetched data but did not complete.
    public internal(set) var isUnfinished = false
    /// The number of bytes fetched by all sessions.
    public internal(set) var fetchedByteCount = 0
    public internal(set) var doneCount = 0
    /// The number of consecutive failures.
    var failureCount: UInt64 = 0

    init(_ port: PluggedPort, now: Instant) {
        self.port = port
        next = now
    }
}

public enum DockFailure: Error, Equatable, Sendable {
    case sync(SyncError)
    /// An SMP server answered, but it is not a Tabard board.
    case otherServer(port: String)
    /// Another port's session uses the same board.
    case sameBoard(port: String, other: String)
}
