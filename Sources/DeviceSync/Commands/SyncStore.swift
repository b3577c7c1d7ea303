import FixedMemory

/// What a client may see and set. The agent implements it over the encounter log; the server asks nothing else.
/// Paths are UTF-8 and absolute: see ``SyncPath``.
public protocol SyncStore: ~Copyable {
    /// A client asks for a file's first bytes, its length or its hash: what it is to find in it must be there now.
    mutating func prepare(path: Span<UInt8>)

    /// The length of a file now. It may grow, and a file may vanish, between two calls.
    mutating func fileByteCount(path: Span<UInt8>) throws(SyncStoreError) -> UInt64

    /// Fills `bytes` from `offset` on, as far as the file goes, and returns how many bytes it gave: fewer than
    /// asked only at the end. At most 2048 are asked for in one call.
    mutating func readFile(
        path: Span<UInt8>, offset: UInt64, into bytes: inout MutableSpan<UInt8>
    ) throws(SyncStoreError) -> Int

    /// Milliseconds since 1970 UTC; nil while the board does not know the time.
    var wallClockMilliseconds: UInt64? { mutating get }

    /// The client says what time it is, or was: a moment that is told is of this start of the agent and not ahead.
    mutating func setWallClock(_ setting: WallClockSetting) throws(SyncStoreError)

    /// Its monotonic time is that at which the request came in.
    var status: BoardStatus { mutating get }

    /// The public halves of the board's keys; nil when it has none.
    var publicKeys: BoardPublicKeys? { mutating get }

    /// The monotonic clock, now.
    var monotonicMilliseconds: UInt64 { mutating get }
}

extension SyncStore where Self: ~Copyable {
    /// A board without keys takes every command from anyone.
    public var publicKeys: BoardPublicKeys? { nil }
}

public enum SyncStoreError: Error, Equatable {
    case fileNotFound
    case pathInvalid
    case readFailed
    case clockRefused
}
