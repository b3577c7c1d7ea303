import FixedMemory

/// Names a value that the table's owner supplies. Characteristics of several services may share one: all of
/// them then read the same on a link.
public struct ValueIdentifier: RawRepresentable, BitwiseCopyable, Equatable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }
}

/// How a value was written.
public enum WriteKind: BitwiseCopyable, Equatable, Sendable {
    /// Write Request: the peer waits for the answer.
    case request
    /// Write Command: nobody hears about an error.
    case command
    /// Prepare Write Requests, merged: the peer waits for the answer to Execute Write.
    case prepared
}

/// Supplies the values that are not in the table, and takes what peers write. `link` is the number under which
/// the caller keeps the link.
public protocol AttributeDelegate: ~Copyable {
    /// Fills `value`, which is empty. Each read from a value's beginning asks anew; the server keeps what it got for the
    /// pieces behind that, so a long read never mixes two answers, unless another value was read in between.
    mutating func read(_ identifier: ValueIdentifier, link: Int, into value: inout AttributeValue)
        throws(ATTError)

    /// `value` holds 0 to 512 bytes and is valid during the call only.
    mutating func write(_ identifier: ValueIdentifier, link: Int, value: Span<UInt8>, kind: WriteKind)
        throws(ATTError)
}
