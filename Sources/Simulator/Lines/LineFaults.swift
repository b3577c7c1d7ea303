/// What is wrong with a ``SimulatedLine``. Nothing, at first.
public struct LineFaults: Sendable {
    /// Bytes come in pieces of any length up to this many at once; 0: all that there are.
    public var longestPiece = 0
    /// One byte in so many never arrives; 0: all do.
    public var bytesPerLoss = 0
    /// One byte in so many arrives as another; 0: none does.
    public var bytesPerCorruption = 0
    /// Nothing moves: bytes wait where they are, and when there is no more room the line takes none.
    public var isSilent = false
    /// Nobody holds the other end: what the board writes is lost.
    public var isHungUp = false
    /// Nobody holds the other end, and what was there, or is written, waits for whoever comes next.
    public var isLeft = false
    /// The port itself is gone, at both ends, with all that was in it, and has to be opened anew when it is back.
    public var isGone = false

    public init() {}
}
