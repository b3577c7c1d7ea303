import FixedMemory

/// The record of one boot: its range of time, its coverage and its radio episodes. All times are on the
/// timeline of its placement.
struct BootLife {
    let boot: UInt64
    /// The boot's position in the log.
    let order: Int
    let placement: BootPlacement
    let isOnWallClock: Bool
    /// Nil if the boot entry is lost.
    let parameters: BootParameters?
    /// From the start, or the first recorded moment, to the last recorded moment.
    let range: ClosedRange<TimelinePoint>
    /// In order of time, without overlap.
    let covered: [CoveredInterval]
    let episodes: [RadioEpisode]
    /// True if the log contains anything about this boot.
    let isKnown: Bool

    init(_ history: BootHistory, _ placement: BootPlacement, order: Int) {
        // Anchors do not count: this computer may have asked for them, so the log alone does not contain
        // them.
        let times = history.recordedMoments
        let start = history.parameters?.start ?? times.min() ?? .start
        let end = max(start, times.max() ?? start)
        let isVague =
            placement.basis == .order
            && placement.error(at: end) ?? .forever > CoverageAssembly.vaguestError
        let placement = isVague ? placement.withoutWallClock : placement
        isOnWallClock = placement.isOnWallClock
        boot = history.identifier
        self.order = order
        self.placement = placement
        parameters = history.parameters
        covered = Self.merged(history.coverage, placement)
        episodes = RadioEpisode.episodes(history.radioIncidents, on: placement)
        range = placement.point(at: start)...placement.point(at: end)
        isKnown = history.parameters != nil || !times.isEmpty
    }

    /// The range of all boots together; nil if nothing is known of any.
    static func range(_ lives: [BootLife]) -> ClosedRange<TimelinePoint>? {
        let known = lives.filter(\.isKnown)
        let starts = known.map(\.range.lowerBound) + known.compactMap(\.covered.first?.start)
        guard let start = starts.min(), let end = known.map(\.range.upperBound).max() else { return nil }
        return start...max(start, end)
    }

    /// The worst error of all boots; unknown if one of them is unknown.
    static func worstError(_ lives: [BootLife]) -> Encounter.Timeline {
        var worst: Interval? = .zero
        for life in lives {
            let marks = [
                life.placement.mark(of: life.range.lowerBound),
                life.placement.mark(of: life.range.upperBound),
            ]
            for mark in marks + life.covered.flatMap({ [$0.startMark, $0.endMark] }) {
                worst = worst.flatMap { worst in mark.error.map { max(worst, $0) } }
            }
        }
        return .wallClock(error: worst)
    }

    /// Merges intervals that touch and have the same scan timing, or overlap, and adds up their counts.
    private static func merged(_ coverage: [Coverage], _ placement: BootPlacement) -> [CoveredInterval] {
        var result: [CoveredInterval] = []
        for piece in coverage.sorted(by: { $0.start < $1.start }) {
            // The log is untrusted input, so an end may lie before its start; it is then ignored.
            var next = CoveredInterval(piece, placement)
            let isNextTo = result.last.map {
                $0.timing == next.timing ? next.start <= $0.end : next.start < $0.end
            }
            if let last = result.last, isNextTo == true {
                next.start = last.end
                if last.end >= next.end {
                    next.end = last.end
                    next.endMark = last.endMark
                }
                next.quiet = piece.reportCount == 0 ? [next.start...next.end] : []
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
        let startMark = placement.mark(at: piece.start)
        let endMark = placement.mark(at: max(piece.start, piece.end))
        let start = placement.point(at: piece.start)
        let end = placement.point(at: max(piece.start, piece.end))
        self.init(
            start: start, end: end, boot: placement.boot, startMark: startMark,
            endMark: endMark, placement: placement,
            reportCount: piece.reportCount, malformedCount: piece.malformedCount,
            droppedCount: piece.droppedCount, evictedCount: piece.evictedCount, timing: piece.timing,
            quiet: piece.reportCount == 0 ? [start...end] : [])
    }

    fileprivate mutating func append(_ next: CoveredInterval) {
        end = next.end
        endMark = next.endMark
        reportCount += next.reportCount
        malformedCount += next.malformedCount
        droppedCount += next.droppedCount
        evictedCount += next.evictedCount
        // Only pieces that overlap have other timings; the log of no agent has such.
        if let known = timing { timing = next.timing.map { known.isSparser(than: $0) ? known : $0 } }
        for part in next.quiet {
            if let last = quiet.last, last.upperBound == part.lowerBound {
                quiet[quiet.count - 1] = last.lowerBound...part.upperBound
            } else {
                quiet.append(part)
            }
        }
    }
}
