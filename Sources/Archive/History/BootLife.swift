/// One start of the agent as its log tells of it: from when to when, what it covered, what befell its radio. All times
/// are on the timeline of its placement.
struct BootLife {
    let boot: UInt64
    /// Its place in the log.
    let order: Int
    let placement: BootPlacement
    let isOnWallClock: Bool
    /// Nil when the entry that says so is lost.
    let parameters: BootParameters?
    /// From the start, or the first thing known, to the last thing known.
    let range: ClosedRange<Int64>
    /// In order, without overlap.
    let covered: [CoveredInterval]
    let episodes: [RadioEpisode]
    /// Whether anything stands in the log about it.
    let isKnown: Bool

    init(_ history: BootHistory, _ placement: BootPlacement, order: Int) {
        // What this computer asked for is not of the log.
        let times = history.recordedMoments
        let start = history.parameters?.startMilliseconds ?? times.min() ?? 0
        let end = max(start, times.max() ?? start)
        let isVague =
            placement.basis == .order
            && placement.errorMilliseconds(at: end) ?? .max > CoverageAssembly.vaguestErrorMilliseconds
        let placement = isVague ? placement.withoutWallClock : placement
        isOnWallClock = placement.isOnWallClock
        boot = history.identifier
        self.order = order
        self.placement = placement
        parameters = history.parameters
        covered = Self.merged(history.coverage, placement)
        episodes = RadioEpisode.episodes(history.radioIncidents).map { $0.placed(by: placement) }
        range = placement.milliseconds(at: start)...placement.milliseconds(at: end)
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
            let marks = [
                life.placement.mark(of: life.range.lowerBound),
                life.placement.mark(of: life.range.upperBound),
            ]
            for mark in marks + life.covered.flatMap({ [$0.startMark, $0.endMark] }) {
                worst = worst.flatMap { worst in mark.errorMilliseconds.map { max(worst, $0) } }
            }
        }
        return .wallClock(errorMilliseconds: worst)
    }

    /// Pieces that touch or overlap are one; their counts add up.
    private static func merged(_ coverage: [Coverage], _ placement: BootPlacement) -> [CoveredInterval] {
        var result: [CoveredInterval] = []
        for piece in coverage.sorted(by: { $0.startMilliseconds < $1.startMilliseconds }) {
            // Times come from a log that anyone may have written: an end before its start is none.
            var next = CoveredInterval(piece, placement)
            if let last = result.last, next.startMilliseconds <= last.endMilliseconds {
                next.startMilliseconds = last.endMilliseconds
                if last.endMilliseconds >= next.endMilliseconds {
                    next.endMilliseconds = last.endMilliseconds
                    next.endMark = last.endMark
                }
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
    fileprivate init(_ piece: Coverage, _ placement: BootPlacement) {
        let startMark = placement.mark(at: piece.startMilliseconds)
        let endMark = placement.mark(at: max(piece.startMilliseconds, piece.endMilliseconds))
        let start = placement.milliseconds(at: piece.startMilliseconds)
        let end = placement.milliseconds(at: max(piece.startMilliseconds, piece.endMilliseconds))
        self.init(
            startMilliseconds: start, endMilliseconds: end, boot: placement.boot, startMark: startMark,
            endMark: endMark, placement: placement,
            reportCount: piece.reportCount, malformedCount: piece.malformedCount,
            droppedCount: piece.droppedCount, evictedCount: piece.evictedCount,
            quiet: piece.reportCount == 0 ? [start...end] : [])
    }

    fileprivate mutating func append(_ next: CoveredInterval) {
        endMilliseconds = next.endMilliseconds
        endMark = next.endMark
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
