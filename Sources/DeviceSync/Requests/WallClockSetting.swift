import FixedMemory

/// The time as a client sets it.
public struct WallClockSetting: Equatable, BitwiseCopyable, Sendable {
    public var time: WallClockTime
    /// The maximum error in either direction; nil if the client did not give it.
    public var errorMilliseconds: UInt32?
    /// The moment on the board's monotonic clock to which the time belongs; nil means when the request
    /// arrived.
    public var moment: BoardMoment?

    public init(time: WallClockTime, errorMilliseconds: UInt32? = nil, moment: BoardMoment? = nil) {
        self.time = time
        self.errorMilliseconds = errorMilliseconds
        self.moment = moment
    }
}

/// A moment on a board's monotonic clock, which counts within one start of the agent.
public struct BoardMoment: Equatable, BitwiseCopyable, Sendable {
    public var bootIdentifier: UInt64
    public var instant: Instant

    public init(bootIdentifier: UInt64, instant: Instant) {
        self.bootIdentifier = bootIdentifier
        self.instant = instant
    }
}

/// The board's two timestamps of a four-timestamp exchange, in whole milliseconds of its monotonic clock,
/// truncated.
public struct TimeAnswer: Equatable, BitwiseCopyable, Sendable {
    public var bootIdentifier: UInt64
    /// The time when the whole request had arrived.
    public var received: Instant
    /// The time when the answer was made; not before ``received``.
    public var sent: Instant

    public init(bootIdentifier: UInt64, received: Instant, sent: Instant) {
        self.bootIdentifier = bootIdentifier
        self.received = received
        self.sent = sent
    }
}
