/// The time as a client sets it.
public struct WallClockSetting: Equatable, BitwiseCopyable, Sendable {
    /// Milliseconds since 1970 UTC.
    public var milliseconds: UInt64
    /// The maximum error in either direction; nil if the client did not give it.
    public var errorMilliseconds: UInt32?
    /// The moment on the board's monotonic clock to which the time belongs; nil means when the request
    /// arrived.
    public var moment: BoardMoment?

    public init(milliseconds: UInt64, errorMilliseconds: UInt32? = nil, moment: BoardMoment? = nil) {
        self.milliseconds = milliseconds
        self.errorMilliseconds = errorMilliseconds
        self.moment = moment
    }
}

/// A moment on a board's monotonic clock, which counts within one start of the agent.
public struct BoardMoment: Equatable, BitwiseCopyable, Sendable {
    public var bootIdentifier: UInt64
    public var milliseconds: UInt64

    public init(bootIdentifier: UInt64, milliseconds: UInt64) {
        self.bootIdentifier = bootIdentifier
        self.milliseconds = milliseconds
    }
}

/// The board's two timestamps of a four-timestamp exchange, in whole milliseconds of its monotonic clock,
/// truncated.
public struct TimeAnswer: Equatable, BitwiseCopyable, Sendable {
    public var bootIdentifier: UInt64
    /// The time when the whole request had arrived.
    public var receivedMilliseconds: UInt64
    /// The time when the answer was made; not before ``receivedMilliseconds``.
    public var sentMilliseconds: UInt64

    public init(bootIdentifier: UInt64, receivedMilliseconds: UInt64, sentMilliseconds: UInt64) {
        self.bootIdentifier = bootIdentifier
        self.receivedMilliseconds = receivedMilliseconds
        self.sentMilliseconds = sentMilliseconds
    }
}
