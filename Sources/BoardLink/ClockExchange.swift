import DeviceSync
import FixedMemory

/// Four timestamps: request sent and received, answer sent and received. docs/time.md has the formulas.
public struct ClockExchange: Equatable, Sendable {
    /// By this computer's monotonic clock.
    public var sentMicroseconds: Int64
    public var receivedMicroseconds: Int64
    /// By the board's monotonic clock.
    public var answer: TimeAnswer

    public init(sentMicroseconds: Int64, receivedMicroseconds: Int64, answer: TimeAnswer) {
        self.sentMicroseconds = sentMicroseconds
        self.receivedMicroseconds = receivedMicroseconds
        self.answer = answer
    }

    /// The board truncates its time to whole milliseconds.
    private static let boardGranularityMicroseconds: Int64 = 1_000

    /// The certain minimum of the board's processing time: one millisecond less than measured, because its
    /// timestamps are truncated.
    private var turnaroundMicroseconds: Int64 {
        let apart = Int64(clamping: (answer.sent - answer.received).milliseconds)
        return max(0, (min(apart, 1 << 40) - 1) * 1_000)
    }

    public var roundTripMicroseconds: Int64 {
        max(0, receivedMicroseconds - sentMicroseconds - turnaroundMicroseconds)
    }

    /// When the board's clock reached `answer.received`, by this computer's monotonic clock: the
    /// midpoint of the possible times.
    public var momentMicroseconds: Int64 {
        sentMicroseconds - Self.boardGranularityMicroseconds + errorMicroseconds
    }

    /// The error bound, either way: half of the round trip without the board's processing time, plus half of
    /// its millisecond.
    public var errorMicroseconds: Int64 {
        (roundTripMicroseconds + Self.boardGranularityMicroseconds + 1) / 2
    }
}
