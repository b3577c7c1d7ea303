import Archive
import FixedMemory
import LogContents
import TextFormats

extension ExportTable {
    /// One row for each quarter of an hour, or longer step, in which somebody was near a board.
    static let presence = ExportTable(
        name: "presence",
        meaning: "How many were near each board, in quarters of an hour, or in longer steps of --round-time.",
        fields: [
            ExportField("board", .text, "An id of participants."),
            ExportField("start", .time, "The beginning of the quarter of an hour or step, UTC."),
            ExportField("peak", .integer, "The most identities at one time: at least so many devices."),
            ExportField("at_most", .integer, "All identities of the time; one device may have had several."),
            ExportField("mean", .real, "The mean number of identities over that time."),
            ExportField(
                "boards", .integer,
                "The boards of the archive among them; in a longer step, the most in a quarter of an hour."),
            ExportField("arrivals", .integer, "How often somebody came."),
            ExportField("departures", .integer, "How often somebody went."),
            ExportField(
                "clock_error_seconds", .real, mayBeMissing: true,
                "The possible error of the times, either way; missing if nobody checked the clock."),
        ],
        rows: { network, body throws(ArchiveError) in
            let filter = network.parameters.filter
            for (board, id) in network.chosenBoards {
                var steps = PresenceSteps(network.parameters.timeStep)
                var isWanted = true
                func write(_ period: PresencePeriod?) {
                    guard let period, isWanted,
                        ExportTime.range.contains(Int64(clamping: period.start.milliseconds))
                    else { return }
                    isWanted = body(row(period, id: id))
                }
                try network.archive.forEachPresenceSlot(
                    ofBoards: [board], since: filter.since, until: filter.until
                ) { slot in
                    write(steps.next(slot))
                    return isWanted
                }
                write(steps.rest())
                guard isWanted else { return }
            }
        })

    private static func row(_ period: PresencePeriod, id: String) -> Row {
        [
            .text(id), .time(Int64(clamping: period.start.milliseconds)), .integer(Int64(period.peakCount)),
            .integer(Int64(period.upperCount)), .real(period.meanCount),
            .integer(Int64(period.boardCount)), .integer(Int64(period.arrivalCount)),
            .integer(Int64(period.departureCount)),
            ExportValue(milliseconds: period.clockError.map { Int64(clamping: $0.milliseconds) }),
        ]
    }

    /// One row for each interval in which a board listened, or did not.
    static let coverage = ExportTable(
        name: "coverage",
        meaning: "When each board listened. Nobody is known to be absent while a board did not listen.",
        fields: [
            ExportField("board", .text, "An id of participants."),
            ExportField("start", .time, "UTC."),
            ExportField("end", .time, "UTC."),
            ExportField("listened", .truth, "Whether the board listened."),
            ExportField(
                "cause", .text, mayBeMissing: true, "Why it did not listen, as `tabardctl coverage` names it."
            ),
        ],
        rows: { network, body throws(ArchiveError) in
            let filter = network.parameters.filter
            let step = Int64(clamping: network.parameters.timeStep.milliseconds)
            for (board, id) in network.chosenBoards {
                let history = try network.archive.history(of: board, withTracks: false)
                let timelines = CoverageAssembly.timelines(
                    of: history, since: filter.since, until: filter.until)
                for timeline in timelines where timeline.isOnWallClock {
                    for row in rows(timeline, id: id, step: step) {
                        guard body(row) else { return }
                    }
                }
            }
        })

    /// - Parameter step: in milliseconds. Both ends of an interval are rounded down to it, so that neither
    ///   gaps nor overlaps arise; one that then has no length is left out.
    private static func rows(_ timeline: CoverageTimeline, id: String, step: Int64) -> [Row] {
        let covered = timeline.covered.map { (start: $0.start, end: $0.end, cause: String?.none) }
        let blind = timeline.blind.map { (start: $0.start, end: $0.end, cause: String?.some($0.cause.name)) }
        func time(_ point: TimelinePoint) -> Int64 {
            step > 1 ? CivilTime.floor(point.milliseconds, by: step) * step : point.milliseconds
        }
        return (covered + blind).sorted { $0.start < $1.start }.compactMap { interval in
            guard ExportTime.range.contains(interval.start.milliseconds),
                ExportTime.range.contains(interval.end.milliseconds)
            else { return nil }
            let (start, end) = (time(interval.start), time(interval.end))
            guard step <= 1 || start < end else { return nil }
            return [
                .text(id), .time(start), .time(end), .truth(interval.cause == nil),
                ExportValue(interval.cause),
            ]
        }
    }
}

extension ContactNetwork {
    /// The boards of the selection with their ids, in order of their numbers.
    fileprivate var chosenBoards: [(board: LogIdentity, id: String)] {
        participants.boards.filter { parameters.filter.boards?.contains($0.board) ?? true }
    }
}
