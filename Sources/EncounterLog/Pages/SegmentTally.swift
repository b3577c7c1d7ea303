/// Counts what is written to the current segment, for the next segment's header.
struct SegmentTally {
    private let bootIdentifier: UInt64
    /// The segment being counted; nil before the first.
    private var ordinal: UInt32?
    private var entryCount: UInt32 = 0
    private var isAtLeast = false
    private var firstMilliseconds: UInt64?
    private var lastMilliseconds: UInt64 = 0
    /// The times of entries that are not written yet.
    private var oldestWaitingMilliseconds: UInt64?
    private var newestWaitingMilliseconds: UInt64 = 0

    /// - Parameter ordinal: the segment in which mounting found the log's end; its entries so far are
    ///   uncounted.
    init(bootIdentifier: UInt64, mountedIn ordinal: UInt32?) {
        self.bootIdentifier = bootIdentifier
        self.ordinal = ordinal
        isAtLeast = ordinal != nil
    }

    mutating func didAppendEntry(nowMilliseconds now: UInt64) {
        if oldestWaitingMilliseconds == nil { oldestWaitingMilliseconds = now }
        newestWaitingMilliseconds = now
    }

    mutating func didWrite(_ count: Int) {
        entryCount &+= UInt32(truncatingIfNeeded: count)
        if firstMilliseconds == nil { firstMilliseconds = oldestWaitingMilliseconds }
        lastMilliseconds = newestWaitingMilliseconds
        oldestWaitingMilliseconds = nil
    }

    /// Begins another segment, or the same one again. Returns what the previous one held, if that is known.
    mutating func begin(_ next: UInt32) -> SegmentSummary? {
        guard ordinal != next else { return nil }
        let waiting = (oldestWaitingMilliseconds, newestWaitingMilliseconds)
        let isFirst = ordinal == nil
        let boot = bootIdentifier
        let summary = firstMilliseconds.map { first in
            SegmentSummary(
                entryCount: entryCount, isAtLeast: isAtLeast,
                first: SegmentSummary.Moment(bootIdentifier: boot, milliseconds: first),
                last: SegmentSummary.Moment(bootIdentifier: boot, milliseconds: lastMilliseconds))
        }
        self = SegmentTally(bootIdentifier: bootIdentifier, mountedIn: nil)
        ordinal = next
        (oldestWaitingMilliseconds, newestWaitingMilliseconds) = waiting
        return isFirst ? nil : summary
    }
}
