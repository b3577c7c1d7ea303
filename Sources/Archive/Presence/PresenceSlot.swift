import FixedMemory
import LogContents

/// How many were near a board in a quarter of an hour. Phones change their identities, so a person counts
/// once for each identity among the peers, but only once at any moment.
public struct PresenceSlot: Sendable, Equatable {
    /// A quarter of an hour.
    public static let length = Interval.minutes(15)

    public var board: LogIdentity
    public var start: WallClockTime
    /// The number of peers: boards of the archive, and devices or identities, whichever are fewer. Not more
    /// people were there.
    public var peerCount: Int
    /// The boards of the archive among them.
    public var boardCount: Int
    /// The most peers at one moment. Not fewer people were there, if each carries one device.
    public var peakCount: Int
    /// The sum of the times in which peers were near.
    public var presentTime: Interval
    public var arrivalCount: Int
    public var departureCount: Int
    /// The worst error of the times, either way; nil if unknown.
    public var clockError: Interval?

    public init(
        board: LogIdentity, start: WallClockTime, peerCount: Int, boardCount: Int, peakCount: Int,
        presentTime: Interval, arrivalCount: Int, departureCount: Int, clockError: Interval?
    ) {
        self.board = board
        self.start = start
        self.peerCount = peerCount
        self.boardCount = boardCount
        self.peakCount = peakCount
        self.presentTime = presentTime
        self.arrivalCount = arrivalCount
        self.departureCount = departureCount
        self.clockError = clockError
    }

    /// The mean number of peers at a moment.
    public var meanCount: Double { Double(presentTime.milliseconds) / Double(Self.length.milliseconds) }
}
