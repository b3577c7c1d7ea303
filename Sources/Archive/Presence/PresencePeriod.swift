import FixedMemory
import LogContents

/// How many were near a board from `start` to `end`: several quarters of an hour together.
public struct PresencePeriod: Sendable, Equatable {
    public let board: LogIdentity
    public let start: WallClockTime
    public let end: WallClockTime
    public private(set) var peakCount = 0
    /// The peers of the first quarter of an hour, and the later arrivals. A peer that returns counts again.
    public private(set) var upperCount = 0
    public private(set) var boardCount = 0
    public private(set) var presentTime = Interval.zero
    public private(set) var arrivalCount = 0
    public private(set) var departureCount = 0
    /// The worst error of the times, either way; nil if unknown.
    public private(set) var clockError: Interval? = .zero

    public init(board: LogIdentity, start: WallClockTime, end: WallClockTime) {
        self.board = board
        self.start = start
        self.end = end
    }

    /// The mean number of peers at a moment.
    public var meanCount: Double {
        let length = end.interval(since: start).milliseconds
        return length > 0 ? Double(presentTime.milliseconds) / Double(length) : 0
    }

    /// Adds the next quarter of an hour.
    public mutating func add(_ slot: PresenceSlot) {
        upperCount += upperCount == 0 ? slot.peerCount : slot.arrivalCount
        peakCount = max(peakCount, slot.peakCount)
        boardCount = max(boardCount, slot.boardCount)
        presentTime = presentTime + slot.presentTime
        arrivalCount += slot.arrivalCount
        departureCount += slot.departureCount
        clockError = clockError.flatMap { error in slot.clockError.map { max(error, $0) } }
    }
}
