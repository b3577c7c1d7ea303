import FixedMemory

/// Counts what is written to the current segment, for the next segment's header.
struct SegmentTally {
    private let bootIdentifier: UInt64
    /// The segment being counted; nil before the first.
    private var ordinal: UInt32?
    private var entryCount: UInt32 = 0
    private var isAtLeast = false
    private var first: Instant?
    private var last = Instant.start
    /// The times of entries that are not written yet.
    private var oldestWaiting: Instant?
    private var newestWaiting = Instant.start

    /// - Parameter ordinal: the segment in which mounting found the log's end; its entries so far are
    ///   uncounted.
    init(bootIdentifier: UInt64, mountedIn ordinal: UInt32?) {
        self.bootIdentifier = bootIdentifier
        self.ordinal = ordinal
        isAtLeast = ordinal != nil
    }

    mutating func didAppendEntry(now: Instant) {
        if oldestWaiting == nil { oldestWaiting = now }
        newestWaiting = now
    }

    mutating func didWrite(_ count: Int) {
        entryCount &+= UInt32(truncatingIfNeeded: count)
        if first == nil { first = oldestWaiting }
        last = newestWaiting
        oldestWaiting = nil
    }

    /// Begins another segment, or the same one again. Returns what the previous one held, if that is known.
    mutating func begin(_ next: UInt32) -> SegmentSummary? {
        guard ordinal != next else { return nil }
        let waiting = (oldestWaiting, newestWaiting)
        let isFirst = ordinal == nil
        let boot = bootIdentifier
        let summary = first.map { first in
            SegmentSummary(
                entryCount: entryCount, isAtLeast: isAtLeast,
                first: SegmentSummary.Moment(bootIdentifier: boot, instant: first),
                last: SegmentSummary.Moment(bootIdentifier: boot, instant: last))
        }
        self = SegmentTally(bootIdentifier: bootIdentifier, mountedIn: nil)
        ordinal = next
        (oldestWaiting, newestWaiting) = waiting
        return isFirst ? nil : summary
    }
}
