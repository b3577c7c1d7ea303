/// The serial line between a board and whoever fetches its log. Both ends may look at it at any time.
public final class SimulatedLine {
    /// Whether the board has a port at all.
    public var isOpen = true
    public internal(set) var toBoard: [UInt8] = []
    public internal(set) var fromBoard: [UInt8] = []
    /// Called when bytes for the board have come, so that it wakes.
    var onInput: () -> Void = {}

    public init() {}

    /// From the other end.
    public func send(_ bytes: [UInt8]) {
        toBoard += bytes
        onInput()
    }

    /// What the board has written since the last time.
    public func takeOutput() -> [UInt8] {
        defer { fromBoard = [] }
        return fromBoard
    }
}
