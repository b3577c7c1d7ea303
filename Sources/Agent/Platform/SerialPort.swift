import FixedMemory

/// The line logs are handed over on. It may have nobody at the other end, and never blocks.
public protocol SerialPort: ~Copyable {
    /// Whether there is a port at all.
    var isOpen: Bool { get }

    /// Whether ``read(into:)`` would find something. The agent asks in each step, so the answer must cost
    /// little.
    var hasInput: Bool { mutating get }

    /// Appends bytes that have come, as many as there are and fit.
    mutating func read(into buffer: inout FixedBuffer<512>)

    /// Returns how many bytes the line took: 0 when it takes none now.
    mutating func write(_ bytes: Span<UInt8>) -> Int
}

extension SerialPort where Self: ~Copyable {
    /// A port that cannot tell has input.
    public var hasInput: Bool { true }
}
