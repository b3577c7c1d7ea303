/// The current faults of a ``SimulatedLine``; none at first.
public struct LineFaults: Sendable {
    /// The largest number of bytes in one read or write, whose size is random; 0 for no limit.
    public var longestPiece = 0
    /// One byte in this many, on average, is lost; 0 for none.
    public var bytesPerLoss = 0
    /// One byte in this many, on average, is changed; 0 for none.
    public var bytesPerCorruption = 0
    /// Whether nothing moves. Bytes wait where they are, and a full line accepts none.
    public var isSilent = false
    /// Whether nothing is connected to the other end, so that the board's bytes are lost.
    public var isHungUp = false
    /// Whether nothing is connected to the other end, but bytes wait there for the next host.
    public var isLeft = false
    /// Whether the port itself is gone at both ends, with its buffers. It must be opened again when it is
    /// back.
    public var isGone = false

    public init() {}
}
