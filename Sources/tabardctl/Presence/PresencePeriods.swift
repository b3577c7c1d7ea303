import Archive
import FixedMemory
import LogContents
import Reports

/// Joins quarters of an hour to hours or days of local time.
enum PresencePeriods {
    /// Calls `body` with each period in which somebody was near, board by board and in order of time.
    ///
    /// - Parameter body: says whether the next one is wanted.
    static func forEach(
        in archive: Archive, boards: Set<LogIdentity>, since: WallClockTime?, until: WallClockTime?,
        by unit: PresenceCommand.Unit, _ time: TimeText, _ body: (PresencePeriod) -> Bool
    ) throws(ArchiveError) {
        var period: PresencePeriod?
        var isWanted = true
        try archive.forEachPresenceSlot(ofBoards: boards, since: since, until: until) { slot in
            if let known = period, slot.board != known.board || slot.start >= known.end {
                isWanted = body(known)
                period = nil
                guard isWanted else { return false }
            }
            var current = period ?? Self.period(of: slot, by: unit, time).clipped(since: since, until: until)
            current.add(slot)
            period = current
            return true
        }
        if isWanted, let period { _ = body(period) }
    }

    private static func period(
        of slot: PresenceSlot, by unit: PresenceCommand.Unit, _ time: TimeText
    ) -> PresencePeriod {
        let (start, end) =
            switch unit {
            case .quarterHour: (slot.start, slot.start + PresenceSlot.length)
            case .hour: hour(of: slot.start, time)
            case .day: (time.startOfDay(slot.start), time.startOfDay(slot.start, adding: 1))
            }
        return PresencePeriod(board: slot.board, start: start, end: end)
    }

    /// The hour of local time. Some zones differ from UTC by half an hour or a quarter.
    private static func hour(of moment: WallClockTime, _ time: TimeText) -> (WallClockTime, WallClockTime) {
        let hour = Interval.hours(1)
        let sinceMidnight = moment.interval(since: time.startOfDay(moment))
        let start = moment - Interval(milliseconds: sinceMidnight.milliseconds % hour.milliseconds)
        return (start, start + hour)
    }
}

extension PresencePeriod {
    /// The part within the asked time, to whole quarters of an hour.
    fileprivate func clipped(since: WallClockTime?, until: WallClockTime?) -> PresencePeriod {
        let length = PresenceSlot.length.milliseconds
        let first = since.map { WallClockTime(milliseconds: $0.milliseconds / length * length) } ?? start
        let last = until.map { until in
            WallClockTime(milliseconds: (until.milliseconds + length - 1) / length * length)
        }
        return PresencePeriod(board: board, start: max(start, first), end: min(end, last ?? end))
    }
}
