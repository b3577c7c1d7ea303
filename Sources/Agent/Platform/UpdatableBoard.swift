import FixedMemory

/// A board whose launcher can start another agent than the installed one.
public protocol UpdatableBoard {
    /// The slot from which this agent was started, 0 for the installed one; nil if no launcher has started
    /// it.
    var updateSlot: UInt8? { get }

    /// Whether this agent must still show that it runs well.
    var isOnTrial: Bool { get }

    /// The processor's kind as of `uname -m`, padded with 0.
    var architecture: Bytes<16> { get }

    /// Prepares an empty file for an update.
    /// - Returns: whether the medium took it, as do the next two.
    mutating func beginUpdate() -> Bool

    /// Appends a piece to that file.
    mutating func append(update piece: Span<UInt8>) -> Bool

    /// Has the launcher start the agent in that file next, on trial. All of it is on the medium when this
    /// returns.
    /// - Parameter operatorKey: the key that has signed it, in X9.63 form.
    mutating func finishUpdate(version: Bytes<3>, operatorKey: Bytes<65>) -> Bool

    /// This agent runs well: its trial is over.
    /// - Returns: whether the medium took that.
    mutating func confirmUpdate() -> Bool
}
