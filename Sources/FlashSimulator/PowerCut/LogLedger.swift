import EncounterLog

/// What was appended to a log and what of it was acknowledged, to be held against what can be read.
///
/// Entries are numbered in the order in which they are appended, over all starts of the agent.
struct LogLedger {
    private struct Slot {
        var ordinal: UInt32 = 0
        /// Numbers of the entries that are to stand in it.
        var entries: [Range<Int>] = []
    }

    struct Verdict: Equatable {
        /// Entries that nobody appended, that stand there twice, out of order, or as if of another start; breaks of the chain.
        var wrong = 0
        /// Entries that were acknowledged and not overwritten.
        var lost = 0

        static func += (left: inout Self, right: Self) {
            left.wrong += right.wrong
            left.lost += right.lost
        }
    }

    private(set) var appendedCount = 0
    private var slots: [Slot]
    /// The first entry of each start, and its identifier.
    private var starts: [(first: Int, bootIdentifier: UInt64)] = []
    /// Up to here the ring has taken back what it held.
    private var overwrittenThrough: UInt32?
    /// Entries in segments that were erased although they were not the oldest.
    private var lostToErasures = 0

    init(segmentCount: Int) { slots = Array(repeating: Slot(), count: segmentCount) }

    /// The agent starts; nothing of what it had in memory will come any more.
    mutating func begin() -> UInt64 {
        let bootIdentifier = UInt64(starts.count) + 1
        starts.append((appendedCount, bootIdentifier))
        return bootIdentifier
    }

    /// Before the call: if it fails, its entry may be written all the same.
    mutating func noteAppend() -> Int {
        defer { appendedCount += 1 }
        return appendedCount
    }

    /// All but so many of the entries of this start are acknowledged, the last of them in this segment.
    mutating func acknowledge(allBut openCount: Int, in ordinal: UInt32) {
        let end = appendedCount - openCount
        let start = max(starts.last?.first ?? 0, slots.flatMap(\.entries).map(\.upperBound).max() ?? 0)
        if start < end { note(start..<end, in: ordinal) }
    }

    /// A slot is about to be erased, or a segment begun over what stands in it.
    mutating func note(_ request: SimulatedMedium.Request, on medium: SimulatedMedium) {
        switch request {
        case .erase(let slot): noteErasure(slot: slot)
        case .program(let block, _, let bytes):
            let slot = block / medium.geometry.blocksPerSegment
            if let opening = SegmentOpening(pageStart: bytes.span),
                opening.segmentOrdinal != slots[slot].ordinal
            {
                noteErasure(slot: slot)
            }
        case .sync: break
        }
    }

    /// The erasure of a slot begins: it may only be the oldest segment's.
    mutating func noteErasure(slot: Int) {
        guard !slots[slot].entries.isEmpty else { return }
        let ordinal = slots[slot].ordinal
        let isOldest = slots.allSatisfy { $0.entries.isEmpty || $0.ordinal >= ordinal }
        if !isOldest { lostToErasures += slots[slot].entries.reduce(0) { $0 + $1.count } }
        slots[slot] = Slot()
        overwrittenThrough = max(overwrittenThrough ?? 0, ordinal)
    }

    /// Whoever was given entries does not ask for them again: they count as acknowledged from now on.
    mutating func noteHandedOut(_ reading: LogReading) {
        for page in reading.pages where overwrittenThrough.map({ page.position.segmentOrdinal > $0 }) ?? true
        {
            for case let number? in page.numbers
            where number < appendedCount && !isNoted(number, page.position.segmentOrdinal) {
                note(number..<number + 1, in: page.position.segmentOrdinal)
            }
        }
    }

    func judge(_ reading: LogReading) -> Verdict {
        var verdict = Verdict(wrong: reading.chainBreaks(behind: overwrittenThrough), lost: lostToErasures)
        var isThere = [Bool](repeating: false, count: appendedCount)
        var last = -1
        for page in reading.pages {
            // Of a segment whose erasure was cut some pages may be left, and not those that they refer to.
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

    private mutating func note(_ range: Range<Int>, in ordinal: UInt32) {
        let slot = Int(ordinal) % slots.count
        if slots[slot].ordinal != ordinal { slots[slot] = Slot(ordinal: ordinal) }
        let isBehind = slots[slot].entries.last?.upperBound == range.lowerBound
        let start = isBehind ? slots[slot].entries.removeLast().lowerBound : range.lowerBound
        slots[slot].entries.append(start..<range.upperBound)
    }
}
