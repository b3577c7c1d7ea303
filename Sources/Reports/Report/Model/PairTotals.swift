import Archive
import FixedMemory
import LogContents

/// The time that pairs of boards were together. It takes contacts one after the other, in order of time, and
/// keeps a sum for each pair.
public struct PairTotals: Sendable {
    public struct Pair: Hashable, Sendable {
        public let first: LogIdentity
        public let second: LogIdentity

        public init(_ first: LogIdentity, _ second: LogIdentity) {
            self.first = first
            self.second = second
        }

        public func contains(_ board: LogIdentity) -> Bool { first == board || second == board }
    }

    public struct Sum: Sendable, Equatable {
        public var contactCount = 0
        /// Without times that overlap: contacts of a pair overlap if their clocks or their certainty differ.
        public var time = Interval.zero
        public var longest = Interval.zero
        public var firstStart = TimelinePoint.distantFuture
        public var lastEnd = TimelinePoint.distantPast
        var end: TimelinePoint
    }

    public private(set) var sums: [Pair: Sum] = [:]
    public private(set) var durations = DurationHistogram()
    /// The contacts without wall time, which no sum has.
    public private(set) var undatedCount = 0
    private let start: TimelinePoint
    private let end: TimelinePoint

    /// - Parameters:
    ///   - since: the part of a contact before it does not count; nil for all.
    ///   - until: likewise.
    public init(since: WallClockTime? = nil, until: WallClockTime? = nil) {
        start = since.map { TimelinePoint($0) } ?? .distantPast
        end = until.map { TimelinePoint($0) } ?? .distantFuture
    }

    /// - Parameter contact: begins not before those that were added.
    public mutating func add(_ contact: BoardContact) {
        guard contact.timeline.isOnWallClock else {
            undatedCount += 1
            return
        }
        durations.add(contact.duration)
        let pair = Pair(contact.first.board, contact.second.board)
        var sum = sums[pair] ?? Sum(end: start)
        let last = max(sum.end, min(contact.end, end))
        sum.time = sum.time + last.interval(since: max(contact.start, sum.end))
        sum.contactCount += 1
        sum.longest = max(sum.longest, contact.duration)
        sum.firstStart = min(sum.firstStart, contact.start)
        sum.lastEnd = max(sum.lastEnd, contact.end)
        sum.end = last
        sums[pair] = sum
    }

    public var contactCount: Int { sums.values.reduce(0) { $0 + $1.contactCount } }

    /// The pairs with the longest time first; of equal ones by name.
    public func ranked(_ names: BoardNames) -> [(pair: Pair, sum: Sum)] {
        sums.map { (pair: $0.key, sum: $0.value) }.sorted { one, other in
            (other.sum.time, names[one.pair.first], names[one.pair.second])
                < (one.sum.time, names[other.pair.first], names[other.pair.second])
        }
    }

    /// How many other boards each board met, and for how long in all.
    func degrees() -> [LogIdentity: (boardCount: Int, time: Interval)] {
        var degrees: [LogIdentity: (boardCount: Int, time: Interval)] = [:]
        for (pair, sum) in sums {
            for board in [pair.first, pair.second] {
                let known = degrees[board] ?? (0, .zero)
                degrees[board] = (known.boardCount + 1, known.time + sum.time)
            }
        }
        return degrees
    }
}
