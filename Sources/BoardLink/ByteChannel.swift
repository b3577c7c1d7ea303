/// A line to a board: bytes both ways, and nothing is known of where messages begin.
public protocol ByteChannel: AnyObject {
    /// How people know it: a path.
    var name: String { get }

    /// Sends all of `bytes`, or throws.
    func write(_ bytes: [UInt8], timeoutMilliseconds: Int) throws(LinkError)

    /// What has come, waiting for it at most so long; empty when nothing came.
    func read(timeoutMilliseconds: Int) throws(LinkError) -> [UInt8]

    /// The clock that time-outs are measured with.
    var monotonicMilliseconds: UInt64 { get }
}
