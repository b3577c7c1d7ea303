import DeviceSync

/// Four timestamps: a request sent and received, its answer sent and received. docs/time.md has the formulas.
public struct ClockExchange: Equatable, Sendable {
    /// By this computer's monotonic clock.
    public var sentMicroseconds: Int64
    public var receivedMicroseconds: Int64
    /// By the board's.
    public var answer: TimeAnswer

    public init(sentMicroseconds: Int64, receivedMicroseconds: Int64, answer: TimeAnswer) {
        self.sentMicroseconds = sentMicroseconds
        self.receivedMicroseconds = receivedMicroseconds
        self.answer = answer
    }

    /// The board cuts its time to whole milliseconds.
    private static let boardGranularityMicroseconds: Int64 = 1_000

    /// How long the board had the request for certain: its timestamps are cut, hence a millisecond less.
    private var turnaroundMicroseconds: Int64 {
        let apart = Int64(clamping: answer.sentMilliseconds - answer.receivedMilliseconds)
        return max(0, (min(apart, 1 << 40) - 1) * 1_000)
    }

    public var roundTripMicroseconds: Int64 {
        max(0, receivedMicroseconds - sentMicroseconds - turnaroundMicroseconds)
    }

    /// When, by this computer's monotonic clock, the board's reached `answer.receivedMilliseconds`: the middle of what
    /// can be.
    public var momentMicroseconds: Int64 {
        sentMicroseconds - Self.boardGranularityMicroseconds + errorMicroseconds
    }

    /// Either way: half of the round trip without the board's own time, and half of the board's millisecond.
    public var errorMicroseconds: Int64 {
        (roundTripMicroseconds + Self.boardGranularityMicroseconds + 1) / 2
    }
}
