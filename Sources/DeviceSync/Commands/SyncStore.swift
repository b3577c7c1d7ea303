import FixedMemory

/// The data that a client may read and set. The agent implements it; the server needs nothing else of the
/// agent. Paths are UTF-8 and absolute: see ``SyncPath``.
public protocol SyncStore: ~Copyable {
    /// The owner of the files, which the caller lends for the length of one call: the agent's writer of
    /// the encounter log.
    associatedtype Log: ~Copyable

    /// Prepares a file before a client reads its first bytes, length or hash. The file must be up to date
    /// when this returns.
    mutating func prepare(path: Span<UInt8>, log: inout Log)

    /// Returns the current length of the file. Between two calls a file may grow or vanish.
    mutating func fileByteCount(path: Span<UInt8>, log: inout Log) throws(SyncStoreError) -> UInt64

    /// Fills `bytes` from `offset` on, up to the end of the file, and returns the number of bytes read. It
    /// is smaller than requested only at the end. One call requests at most 2048 bytes.
    mutating func readFile(
        path: Span<UInt8>, offset: UInt64, into bytes: inout MutableSpan<UInt8>, log: inout Log
    ) throws(SyncStoreError) -> Int

    /// The wall-clock time; nil while the board does not know the time.
    var wallClock: WallClockTime? { mutating get }

    /// Sets the wall clock, and records the setting in the log. A moment in the setting belongs to this
    /// start of the agent and is not in the future.
    mutating func setWallClock(_ setting: WallClockSetting, log: inout Log) throws(SyncStoreError)

    /// The board's status; its monotonic time is when the request arrived.
    var status: BoardStatus { mutating get }

    /// The public halves of the board's keys; nil if it has none.
    var publicKeys: BoardPublicKeys? { mutating get }

    /// The current time of the monotonic clock.
    var now: Instant { mutating get }
}

extension SyncStore where Self: ~Copyable {
    /// The default is nil: a board without keys accepts every command from any client.
    public var publicKeys: BoardPublicKeys? { nil }
}

public enum SyncStoreError: Error, Equatable {
    case fileNotFound
    case pathInvalid
    case readFailed
    case clockRefused
}
