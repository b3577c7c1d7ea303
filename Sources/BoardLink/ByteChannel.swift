import FixedMemory

/// A byte stream to and from a board, without message boundaries.
public protocol ByteChannel: AnyObject {
    /// The name for people: a path.
    var name: String { get }

    /// Sends all of `bytes`, or throws.
    func write(_ bytes: [UInt8], timeout: Interval) throws(LinkError)

    /// Returns the received bytes, after waiting for the given time at most; empty if none arrived.
    func read(timeout: Interval) throws(LinkError) -> [UInt8]

    /// The clock by which timeouts are measured.
    var now: Instant { get }
}
