import FixedMemory

/// A channel that reports when its other end lets a request wait.
public final class WatchedChannel: ByteChannel {
    private let channel: any ByteChannel
    private let patience: Interval
    private let report: () -> Void
    private let answer: () -> Void
    private var lastSign: Instant?

    /// - Parameters:
    ///   - patience: how long the other end may be silent before each report.
    ///   - report: called during a silence.
    ///   - answer: called when bytes arrive.
    public init(
        _ channel: any ByteChannel, patience: Interval, report: @escaping () -> Void,
        answer: @escaping () -> Void = {}
    ) {
        self.channel = channel
        self.patience = patience
        self.report = report
        self.answer = answer
    }

    public var name: String { channel.name }
    public var now: Instant { channel.now }

    public func write(_ bytes: [UInt8], timeout: Interval) throws(LinkError) {
        // A repeated request does not end the silence.
        lastSign = lastSign ?? now
        try channel.write(bytes, timeout: timeout)
    }

    public func read(timeout: Interval) throws(LinkError) -> [UInt8] {
        let end = now + timeout
        if let sign = lastSign, now < sign + patience, sign + patience < end {
            let bytes = try channel.read(timeout: (sign + patience).interval(since: now))
            guard bytes.isEmpty else { return received(bytes) }
        }
        if let sign = lastSign, now >= sign + patience { report() }
        guard now < end else { return [] }
        return received(try channel.read(timeout: end.interval(since: now)))
    }

    private func received(_ bytes: [UInt8]) -> [UInt8] {
        if !bytes.isEmpty {
            lastSign = nil
            answer()
        }
        return bytes
    }
}
