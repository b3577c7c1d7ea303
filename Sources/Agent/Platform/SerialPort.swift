import FixedMemory

/// The serial line of the sync port. Its calls never block, even without a client.
public protocol SerialPort: ~Copyable {
    /// Whether there is a port at all.
    var isOpen: Bool { get }

    /// Whether ``read(into:)`` would find something. The agent asks in each step, so the answer must cost
    /// little.
    var hasInput: Bool { mutating get }

    /// The number of times that the other end has left, as far as the line shows it. A client's work ends
    /// then.
    var hangUpCount: UInt32 { get }

    /// Appends the bytes that have arrived, as many as fit.
    mutating func read(into buffer: inout FixedBuffer<512>)

    /// Returns how many bytes the line took: 0 when it takes none now.
    mutating func write(_ bytes: Span<UInt8>) -> Int
}

extension SerialPort where Self: ~Copyable {
    /// The default is true, so that a port without this check is read in each step.
    public var hasInput: Bool { true }

    /// The default is 0, for a line that does not show who is at its other end.
    public var hangUpCount: UInt32 { 0 }
}
