/// What a client says of the time.
public struct WallClockSetting: Equatable, BitwiseCopyable, Sendable {
    /// Since 1970 UTC.
    public var milliseconds: UInt64
    /// It may be off by this much either way; nil when the client did not say.
    public var errorMilliseconds: UInt32?
    /// When on the board's own clock it was that time; nil: when the request came in.
    public var moment: BoardMoment?

    public init(milliseconds: UInt64, errorMilliseconds: UInt32? = nil, moment: BoardMoment? = nil) {
        self.milliseconds = milliseconds
        self.errorMilliseconds = errorMilliseconds
        self.moment = moment
    }
}

/// A moment of a board's monotonic clock, which counts within one start of the agent.
public struct BoardMoment: Equatable, BitwiseCopyable, Sendable {
    public var bootIdentifier: UInt64
    public var milliseconds: UInt64

    public init(bootIdentifier: UInt64, milliseconds: UInt64) {
        self.bootIdentifier = bootIdentifier
        self.milliseconds = milliseconds
    }
}

/// The board's two of the four timestamps of a time exchange: whole milliseconds of its monotonic clock, cut off.
public struct TimeAnswer: Equatable, BitwiseCopyable, Sendable {
    public var bootIdentifier: UInt64
    /// When all of the request had come in.
    public var receivedMilliseconds: UInt64
    /// When the answer was made; not before the one above.
    public var sentMilliseconds: UInt64

    public init(bootIdentifier: UInt64, receivedMilliseconds: UInt64, sentMilliseconds: UInt64) {
        self.bootIdentifier = bootIdentifier
        self.receivedMilliseconds = receivedMilliseconds
        self.sentMilliseconds = sentMilliseconds
    }
}
