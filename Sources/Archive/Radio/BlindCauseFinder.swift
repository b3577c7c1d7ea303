import EncounterLog

/// Determines why a board was blind during a coverage gap.
struct BlindCauseFinder {
    /// The boots in order of time, without overlap.
    private let lives: [(life: BootLife, range: ClosedRange<TimelinePoint>)]
    private let overwritten: [ClosedRange<TimelinePoint>]
    private let damaged: [ClosedRange<TimelinePoint>]
    private let locked: [ClosedRange<TimelinePoint>]
    /// True if the beginning of the log is lost.
    private let hasLostBeginning: Bool

    init(lives: [BootLife], holes: [LogHole]) {
        var position = TimelinePoint.distantPast
        var ordered: [(life: BootLife, range: ClosedRange<TimelinePoint>)] = []
        for life in lives.sorted(by: { ($0.range.lowerBound, $0.order) < ($1.range.lowerBound, $1.order) }) {
            let start = max(life.range.lowerBound, position)
            position = max(life.range.upperBound, start)
            ordered.append((life, start...position))
        }
        self.lives = ordered
        let placements = Dictionary(
            lives.map { ($0.boot, $0.placement) }, uniquingKeysWith: { first, _ in first })
        overwritten = Self.ranges(of: .overwritten, in: holes, placements)
        damaged = Self.ranges(of: .damaged, in: holes, placements)
        locked = Self.ranges(of: .locked, in: holes, placements)
        hasLostBeginning = holes.contains { $0.kind == .overwritten && $0.before == nil }
    }

    /// The coverage gap split into intervals, each with its cause.
    func blindIntervals(in gap: ClosedRange<TimelinePoint>) -> [BlindInterval] {
        var result: [BlindInterval] = []
        var position = gap.lowerBound
        var index = lives.partitioningIndex { $0.range.upperBound > gap.lowerBound }
        while position < gap.upperBound {
            guard index < lives.count else {
                let cause = causeAfterTheLast(position...gap.upperBound)
                result.append(interval(between: index - 1, and: index, position...gap.upperBound, cause))
                break
            }
            let (life, range) = lives[index]
            if position < range.lowerBound {
                let end = min(range.lowerBound, gap.upperBound)
                let cause = cause(between: index - 1, and: index, position...end)
                result.append(interval(between: index - 1, and: index, position...end, cause))
                position = end
            }
            let end = min(range.upperBound, gap.upperBound)
            if position < end {
                result.append(interval(within: life, position...end, cause(within: life, position...end)))
                position = end
            }
            index += 1
        }
        return result
    }

    private func interval(
        within life: BootLife, _ range: ClosedRange<TimelinePoint>, _ cause: BlindCause
    ) -> BlindInterval {
        BlindInterval(
            start: range.lowerBound, end: range.upperBound, boot: life.boot,
            startMark: life.placement.mark(of: range.lowerBound),
            endMark: life.placement.mark(of: range.upperBound), cause: cause)
    }

    /// An interval between two boots. An end that is not a boot's own limit is a limit of the requested
    /// range, and therefore exact.
    private func interval(
        between earlier: Int, and later: Int, _ range: ClosedRange<TimelinePoint>, _ cause: BlindCause
    ) -> BlindInterval {
        func mark(_ time: TimelinePoint, _ index: Int, _ bound: (ClosedRange<TimelinePoint>) -> TimelinePoint)
            -> ClockMark
        {
            guard lives.indices.contains(index), bound(lives[index].range) == time else {
                return ClockMark(error: .zero)
            }
            return ClockMark(error: lives[index].life.placement.mark(of: time).error)
        }
        return BlindInterval(
            start: range.lowerBound, end: range.upperBound, boot: nil,
            startMark: mark(range.lowerBound, earlier, \.upperBound),
            endMark: mark(range.upperBound, later, \.lowerBound), cause: cause)
    }

    private func cause(within life: BootLife, _ part: ClosedRange<TimelinePoint>) -> BlindCause {
        let first = life.episodes.partitioningIndex { $0.end >= part.lowerBound }
        let episodes = life.episodes[first...].prefix { $0.start <= part.upperBound }
        if let episode = RadioEpisode.joined(episodes) { return .radioFault(episode) }
        if overwritten.contains(where: part.shares) { return .logOverwritten }
        if damaged.contains(where: part.shares) { return .logDamaged }
        if locked.contains(where: part.shares) { return .logClosed }
        let isStart = life.parameters != nil && part.lowerBound == life.range.lowerBound
        return isStart ? .startingUp : .unknown
    }

    private func cause(between earlier: Int, and later: Int, _ part: ClosedRange<TimelinePoint>) -> BlindCause
    {
        guard lives.indices.contains(earlier) else {
            if locked.contains(where: { $0.lowerBound == .distantPast && part.shares($0) }) {
                return .logClosed
            }
            return hasLostBeginning ? .logOverwritten : .beforeRecord
        }
        if overwritten.contains(where: part.shares) { return .logOverwritten }
        let before = lives[earlier].life
        let after = lives[later].life
        if locked.contains(where: part.shares) { return .logClosed }
        if after.order > before.order + 1 { return .noClock(bootCount: after.order - before.order - 1) }
        if after.parameters != nil {
            return .notRunning(lossWindow: before.parameters?.lossWindow)
        }
        return damaged.contains(where: part.shares) ? .logDamaged : .unknown
    }

    private func causeAfterTheLast(_ part: ClosedRange<TimelinePoint>) -> BlindCause {
        func isAtTheEnd(_ range: ClosedRange<TimelinePoint>) -> Bool {
            range.upperBound == .distantFuture && part.shares(range)
        }
        if damaged.contains(where: isAtTheEnd) { return .logDamaged }
        return locked.contains(where: isAtTheEnd) ? .logClosed : .notFetched
    }

    /// The times of the missing parts. A range is open-ended if no readable page exists on that side. A
    /// missing part is left out if the two boots around it are not on one timeline.
    private static func ranges(
        of kind: LogHole.Kind, in holes: [LogHole], _ placements: [UInt64: BootPlacement]
    ) -> [ClosedRange<TimelinePoint>] {
        holes.filter { $0.kind == kind }.compactMap { hole in
            func time(_ moment: LogHole.Moment) -> TimelinePoint? {
                placements[moment.boot]?.point(at: moment.instant)
            }
            let before = hole.before.map(time)
            let after = hole.after.map(time)
            guard let start = before ?? .distantPast, let end = after ?? .distantFuture, start <= end else {
                return nil
            }
            return start...end
        }
    }
}

extension Array {
    /// The index of the first element that satisfies the predicate. The elements must be partitioned: no
    /// element before it satisfies the predicate, and every later one does.
    fileprivate func partitioningIndex(where isAtOrAfter: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isAtOrAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension ClosedRange<TimelinePoint> {
    /// True if the ranges share a non-empty interval; a common end does not count.
    fileprivate func shares(_ other: ClosedRange<TimelinePoint>) -> Bool {
        lowerBound < other.upperBound && other.lowerBound < upperBound
    }
}
