import Archive
import FixedMemory
import LogContents

extension ExportTable {
    /// One row for each quarter of an hour in which somebody was near a board.
    static let presence = ExportTable(
        name: "presence", meaning: "How many were near each board, in quarters of an hour.",
        fields: [
            ExportField("board", .text, "An id of participants."),
            ExportField("start", .time, "The beginning of the quarter of an hour, UTC."),
            ExportField("peak", .integer, "The most identities at one time: at least so many devices."),
            ExportField("at_most", .integer, "All identities of the time; one device may have had several."),
            ExportField("mean", .real, "The mean number of identities over the quarter of an hour."),
            ExportField("boards", .integer, "The boards of the archive among them."),
            ExportField("arrivals", .integer, "How often somebody came."),
            ExportField("departures", .integer, "How often somebody went."),
            ExportField(
                "clock_error_seconds", .real, mayBeMissing: true,
                "The possible error of the times, either way; missing if nobody checked the clock."),
        ],
        rows: { network, body throws(ArchiveError) in
            let filter = network.parameters.filter
            try network.archive.forEachPresenceSlot(
                ofBoards: filter.boards, since: filter.since, until: filter.until
            ) { slot in
                guard let number = network.participants.number(of: slot.board) else { return true }
                return body([
                    .text(network.participants[number].id),
                    .time(Int64(clamping: slot.start.milliseconds)), .integer(Int64(slot.peakCount)),
                    .integer(Int64(slot.peerCount)), .real(slot.meanCount),
                    .integer(Int64(slot.boardCount)), .integer(Int64(slot.arrivalCount)),
                    .integer(Int64(slot.departureCount)),
                    ExportValue(
                        milliseconds: slot.clockError.map { Int64(clamping: $0.milliseconds) }),
                ])
            }
        })

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
            for board in network.boards {
                guard filter.boards?.contains(board) ?? true,
                    let number = network.participants.number(of: board)
                else { continue }
                let history = try network.archive.history(of: board, withTracks: false)
                let timelines = CoverageAssembly.timelines(
                    of: history, since: filter.since, until: filter.until)
                for timeline in timelines where timeline.isOnWallClock {
                    for row in rows(timeline, id: network.participants[number].id) {
                        guard body(row) else { return }
                    }
                }
            }
        })

    private static func rows(_ timeline: CoverageTimeline, id: String) -> [Row] {
        let covered = timeline.covered.map { interval -> (TimelinePoint, Row) in
            (
                interval.start,
                [
                    .text(id), .time(interval.start.milliseconds), .time(interval.end.milliseconds),
                    .truth(true), .missing,
                ]
            )
        }
        let blind = timeline.blind.map { interval -> (TimelinePoint, Row) in
            (
                interval.start,
                [
                    .text(id), .time(interval.start.milliseconds), .time(interval.end.milliseconds),
                    .truth(false), .text(interval.cause.name),
                ]
            )
        }
        return (covered + blind).sorted { $0.0 < $1.0 }.map(\.1)
    }
}
