import EncounterLog

/// The appended and the acknowledged entries of a log, for comparison with what can be read.
///
/// Entries are numbered in the order in which they are appended, over all starts of the agent.
struct LogLedger {
    private struct Slot {
        var ordinal: UInt32 = 0
        /// The numbers of the entries that the slot must hold.
        var entries: [Range<Int>] = []
    }

    struct Verdict: Equatable {
        /// Entries that were never appended, are repeated, out of order, or attributed to another start; and
        /// breaks of the hash chain.
        var wrong = 0
        /// Acknowledged entries that are missing although they were not overwritten.
        var lost = 0

        static func += (left: inout Self, right: Self) {
            left.wrong += right.wrong
            left.lost += right.lost
        }
    }

    private(set) var appendedCount = 0
    private var slots: [Slot]
    /// The first entry of each start, with the boot identifier.
    private var starts: [(first: Int, bootIdentifier: UInt64)] = []
    /// The last segment that the ring has reclaimed.
    private var overwrittenThrough: UInt32?
    /// Entries in segments that were erased although they were not the oldest.
    private var lostToErasures = 0

    init(segmentCount: Int) { slots = Array(repeating: Slot(), count: segmentCount) }

    /// Begins a start of the agent. Entries that were only in memory are gone.
    mutating func begin() -> UInt64 {
        let bootIdentifier = UInt64(starts.count) + 1
        starts.append((appendedCount, bootIdentifier))
        return bootIdentifier
    }

    /// Records an entry before it is appended. If the call fails, the entry may still be written.
    mutating func recordAppend() -> Int {
        defer { appendedCount += 1 }
        return appendedCount
    }

    /// Acknowledges all but `openCount` of this start's entries; the last of them is in segment `ordinal`.
    mutating func acknowledge(allBut openCount: Int, in ordinal: UInt32) {
        let end = appendedCount - openCount
        let start = max(starts.last?.first ?? 0, slots.flatMap(\.entries).map(\.upperBound).max() ?? 0)
        if start < end { record(start..<end, in: ordinal) }
    }

    /// Records that a slot is about to be erased, or a segment begun over its content.
    mutating func record(_ request: SimulatedMedium.Request, on medium: SimulatedMedium) {
        switch request {
        case .erase(let slot): recordErasure(slot: slot)
        case .program(let block, _, let bytes):
            let slot = block / medium.geometry.blocksPerSegment
            if let segmentHeader = SegmentHeader(pageStart: bytes.span),
                segmentHeader.segmentOrdinal != slots[slot].ordinal
            {
                recordErasure(slot: slot)
            }
        case .sync: break
        }
    }

    /// Records the beginning of a slot's erasure. Only the oldest segment may be erased.
    mutating func recordErasure(slot: Int) {
        guard !slots[slot].entries.isEmpty else { return }
        let ordinal = slots[slot].ordinal
        let isOldest = slots.allSatisfy { $0.entries.isEmpty || $0.ordinal >= ordinal }
        if !isOldest { lostToErasures += slots[slot].entries.reduce(0) { $0 + $1.count } }
        slots[slot] = Slot()
        overwrittenThrough = max(overwrittenThrough ?? 0, ordinal)
    }

    /// Acknowledges entries that a reader has received, because it does not request them again.
    mutating func recordHandedOut(_ reading: LogReading) {
        for page in reading.pages where overwrittenThrough.map({ page.position.segmentOrdinal > $0 }) ?? true
        {
            for case let number? in page.numbers
            where number < appendedCount && !isNoted(number, page.position.segmentOrdinal) {
                record(number..<number + 1, in: page.position.segmentOrdinal)
            }
        }
    }

    func judge(_ reading: LogReading) -> Verdict {
        var verdict = Verdict(wrong: reading.chainBreaks(behind: overwrittenThrough), lost: lostToErasures)
        var isThere = [Bool](repeating: false, count: appendedCount)
        var last = -1
        for page in reading.pages {
            // After an interrupted erasure some pages of a segment may remain without those that they refer
            // to.
            if overwrittenThrough.map({ page.position.segmentOrdinal > $0 }) ?? true {
                verdict.wrong += page.lostIdentityCount
            }
            for number in page.numbers {
                guard let number, number < appendedCount, number > last,
                    page.bootIdentifier == bootIdentifier(of: number)
                else {
                    verdict.wrong += 1
                    continue
                }
                isThere[number] = true
                last = number
            }
        }
        for range in slots.flatMap(\.entries) {
            for number in range where !isThere[number] { verdict.lost += 1 }
        }
        return verdict
    }

    private func bootIdentifier(of number: Int) -> UInt64? {
        starts.last { $0.first <= number }?.bootIdentifier
    }

    private func isNoted(_ number: Int, _ ordinal: UInt32) -> Bool {
        let slot = slots[Int(ordinal) % slots.count]
        return slot.entries.contains { $0.contains(number) }
    }

    private mutating func record(_ range: Range<Int>, in ordinal: UInt32) {
        let slot = Int(ordinal) % slots.count
        if slots[slot].ordinal != ordinal { slots[slot] = Slot(ordinal: ordinal) }
        let isBehind = slots[slot].entries.last?.upperBound == range.lowerBound
        let start = isBehind ? slots[slot].entries.removeLast().lowerBound : range.lowerBound
        slots[slot].entries.append(start..<range.upperBound)
    }
}
