import FixedMemory

/// Identifies a value that the table's owner supplies. Characteristics of several services may share one
/// identifier; then all of them have the same value on a link.
public struct ValueIdentifier: RawRepresentable, BitwiseCopyable, Equatable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }
}

/// How a value was written.
public enum WriteKind: BitwiseCopyable, Equatable, Sendable {
    /// A Write Request: the peer waits for the answer.
    case request
    /// A Write Command: the peer never learns of an error.
    case command
    /// Merged Prepare Write Requests: the peer waits for the answer to Execute Write.
    case prepared
}

/// Supplies the values that are not in the table, and receives the values that peers write. `link` is the
/// caller's number for the link.
public protocol AttributeDelegate: ~Copyable {
    /// Writes the value into `value`, which is empty. Each read from offset 0 calls this again; the server
    /// caches the result for the following Read Blob requests. So a long read never mixes two results, unless
    /// the peer reads another value in between.
    mutating func read(_ identifier: ValueIdentifier, link: Int, into value: inout AttributeValue)
        throws(ATTError)

    /// Receives a written value of 0 to 512 bytes, which is valid only during the call.
    mutating func write(_ identifier: ValueIdentifier, link: Int, value: Span<UInt8>, kind: WriteKind)
        throws(ATTError)
}
