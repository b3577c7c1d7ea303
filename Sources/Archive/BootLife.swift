/// One start of the agent as its log tells of it: from when to when, what it covered, what befell its radio. All times
/// are on the timeline of its placement.
struct BootLife {
    let boot: UInt64
    /// Its place in the log.
    let order: Int
    let placement: BootPlacement
    /// Nil when the entry that says so is lost.
    let parameters: BootParameters?
    /// From the start, or the first thing known, to the last thing known.
    let range: ClosedRange<Int64>
    /// In order, without overlap.
    let covered: [CoveredInterval]
    let episodes: [RadioEpisode]
    /// Whether anything stands in the log about it.
    let isKnown: Bool

    init(_ history: BootHistory, order: Int) {
        let placement = BootPlacement(history)
        let offset = placement.offsetMilliseconds
        boot = history.identifier
        self.order = order
        self.placement = placement
        parameters = history.parameters
        covered = Self.merged(history.coverage, boot: history.identifier, offset: offset)
        episodes = RadioEpisode.episodes(history.radioIncidents).map { $0.shifted(by: offset) }
        let times = Self.times(of: history)
        let start = history.parameters?.startMilliseconds ?? times.min() ?? 0
        range = start + offset...max(start, times.max() ?? start) + offset
        isKnown = history.parameters != nil || !times.isEmpty
    }

    /// Nil when nothing is known of any.
    static func range(_ lives: [BootLife]) -> ClosedRange<Int64>? {
        let known = lives.filter(\.isKnown)
        let starts = known.map(\.range.lowerBound) + known.compactMap(\.covered.first?.startMilliseconds)
        guard let start = starts.min(), let end = known.map(\.range.upperBound).max() else { return nil }
        return start...max(start, end)
    }

    /// Of several clocks the worst error; unknown when one of them is.
    static func worstError(_ lives: [BootLife]) -> Encounter.Timeline {
        var worst: Int64? = 0
        for life in lives {
            guard case .wallClock(let error) = life.placement.timeline else { continue }
            worst = worst.flatMap { worst in error.map { max(worst, $0) } }
        }
        return .wallClock(errorMilliseconds: worst)
    }

    /// Everything that the board wrote with a time. What this computer asked for is not of the log.
    private static func times(of boot: BootHistory) -> [Int64] {
        var times = boot.coverage.flatMap { [$0.startMilliseconds, $0.endMilliseconds] }
        times += boot.radioIncidents.map(\.monotonicMilliseconds)
        for track in boot.tracks {
            times += [track.firstSightingMilliseconds, track.lastReadingMilliseconds].compactMap(\.self)
            times += [track.samples.first?.startMilliseconds, track.samples.last?.endMilliseconds]
                .compactMap(\.self)
        }
        return times
    }

    /// Pieces that touch or overlap are one; their counts add up.
    private static func merged(_ coverage: [Coverage], boot: UInt64, offset: Int64) -> [CoveredInterval] {
        var result: [CoveredInterval] = []
        for piece in coverage.sorted(by: { $0.startMilliseconds < $1.startMilliseconds }) {
            // Times come from a log that anyone may have written: an end before its start is none.
            var next = CoveredInterval(piece, boot: boot, offset: offset)
            if let last = result.last, next.startMilliseconds <= last.endMilliseconds {
                next.startMilliseconds = last.endMilliseconds
                next.endMilliseconds = max(next.endMilliseconds, last.endMilliseconds)
                next.quiet = piece.reportCount == 0 ? [next.startMilliseconds...next.endMilliseconds] : []
                result[result.count - 1].append(next)
            } else {
                result.append(next)
            }
        }
        return result
    }
}

extension CoveredInterval {
    fileprivate init(_ piece: Coverage, boot: UInt64, offset: Int64) {
        let start = piece.startMilliseconds + offset
        let end = max(piece.startMilliseconds, piece.endMilliseconds) + offset
        self.init(
            startMilliseconds: start, endMilliseconds: end, boot: boot, offsetMilliseconds: offset,
            reportCount: piece.reportCount, malformedCount: piece.malformedCount,
            droppedCount: piece.droppedCount, evictedCount: piece.evictedCount,
            quiet: piece.reportCount == 0 ? [start...end] : [])
    }

    fileprivate mutating func append(_ next: CoveredInterval) {
        endMilliseconds = next.endMilliseconds
        reportCount += next.reportCount
        malformedCount += next.malformedCount
        droppedCount += next.droppedCount
        evictedCount += next.evictedCount
        for part in next.quiet {
            if let last = quiet.last, last.upperBound == part.lowerBound {
                quiet[quiet.count - 1] = last.lowerBound...part.upperBound
            } else {
                quiet.append(part)
            }
        }
    }
}
