import FixedMemory

/// What a client may see and set. The agent implements it over the encounter log; the server asks nothing else.
/// Paths are UTF-8 and absolute: `/index`, `/log`, `/log/00000012`.
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

    /// The client says what time it is. `errorMilliseconds` is its bound, nil when it gave none.
    mutating func setWallClock(
        milliseconds: UInt64, errorMilliseconds: UInt32?
    ) throws(SyncStoreError)

    var status: BoardStatus { mutating get }
}

public enum SyncStoreError: Error, Equatable {
    case fileNotFound
    case pathInvalid
    case readFailed
    case clockRefused
}
