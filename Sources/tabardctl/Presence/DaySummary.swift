import Archive
import CommandLineText
import FixedMemory
import Foundation
import LogContents
import Reports

/// The figures of a day at some boards.
struct DaySummary {
    private struct Row {
        let board: ArchivedBoard
        let coverage: CoverageSummary?
        let encounterCount: Int
        let peak: PresenceSlot?
        let boardsMet: Int
    }

    private static let listedPairs = 10

    let start: WallClockTime
    let end: WallClockTime
    private let names: BoardNames
    private var rows: [Row] = []
    private var pairs: [(pair: PairTotals.Pair, sum: PairTotals.Sum)] = []

    /// - Parameter times: the last day with records if both are open.
    init(
        archive: Archive, boards: [ArchivedBoard], _ times: (since: WallClockTime?, until: WallClockTime?),
        _ zone: TimeText
    ) throws(Failure) {
        let all = try archiving { () throws(ArchiveError) in try archive.boards() }
        names = BoardNames(all)
        var histories: [BoardHistory] = []
        for board in boards {
            histories.append(
                try archiving { () throws(ArchiveError) in
                    try archive.history(of: board.identity, withTracks: false)
                })
        }
        let recorded = histories.flatMap { CoverageAssembly.timelines(of: $0) }.filter(\.isOnWallClock)
            .map(\.range)
        guard let first = recorded.map(\.lowerBound).min(), let last = recorded.map(\.upperBound).max() else {
            throw Failure(
                .noInput, "the archive has nothing with a known time; fetch boards with `tabardctl sync`")
        }
        let isOpen = times.since == nil && times.until == nil
        let latest = WallClockTime(clamping: last.milliseconds)
        start =
            times.since ?? (isOpen ? zone.startOfDay(latest) : WallClockTime(clamping: first.milliseconds))
        end = times.until ?? (isOpen ? zone.startOfDay(latest, adding: 1) : latest)
        guard start < end else {
            throw Failure(
                .noInput,
                "the archive has nothing of that time; its last record is of \(zone.dateAndTime(latest))")
        }
        let chosen = Set(boards.map(\.identity))
        try addMeetings(archive, chosen)
        let counts = try encounterCounts(archive, chosen)
        let peaks = try peaks(archive, chosen)
        rows = zip(boards, histories).map { board, history in
            let timeline = CoverageAssembly.timelines(of: history, since: start, until: end).first
            return Row(
                board: board, coverage: timeline.map { CoverageSummary($0.fetched) },
                encounterCount: counts[board.identity] ?? 0, peak: peaks[board.identity],
                boardsMet: pairs.count { $0.pair.contains(board.identity) })
        }
    }

    private func encounterCounts(
        _ archive: Archive, _ boards: Set<LogIdentity>
    ) throws(Failure) -> [LogIdentity: Int] {
        var filter = EncounterFilter()
        (filter.since, filter.until) = (start, end)
        filter.boards = boards
        var counts: [LogIdentity: Int] = [:]
        try archiving { () throws(ArchiveError) in
            try archive.forEachEncounter(matching: filter) {
                counts[$0.board, default: 0] += 1
                return true
            }
        }
        return counts
    }

    /// The quarter of an hour of each board with the most peers at one moment; of equal ones the first.
    private func peaks(
        _ archive: Archive, _ boards: Set<LogIdentity>
    ) throws(Failure) -> [LogIdentity: PresenceSlot] {
        var peaks: [LogIdentity: PresenceSlot] = [:]
        try archiving { () throws(ArchiveError) in
            try archive.forEachPresenceSlot(ofBoards: boards, since: start, until: end) { slot in
                if slot.peakCount > peaks[slot.board]?.peakCount ?? 0 { peaks[slot.board] = slot }
                return true
            }
        }
        return peaks
    }

    private mutating func addMeetings(_ archive: Archive, _ boards: Set<LogIdentity>) throws(Failure) {
        var filter = ContactFilter()
        (filter.since, filter.until) = (start, end)
        filter.boards = boards
        filter.excludesWritten = true
        var totals = PairTotals(since: start, until: end)
        try archiving { () throws(ArchiveError) in
            try archive.forEachContact(matching: filter) {
                totals.add($0)
                return true
            }
        }
        pairs = totals.ranked(names)
    }

    // MARK: Output

    var document: SummaryDocument {
        SummaryDocument(
            start: start, end: end,
            boards: rows.map {
                SummaryDocument.Board(
                    $0.board.identity, name: names[$0.board.identity], coverage: $0.coverage,
                    encounterCount: $0.encounterCount, peak: $0.peak, boardsMet: $0.boardsMet)
            },
            pairs: pairs.map {
                SummaryDocument.Pair(
                    $0.pair.first, $0.pair.second, names: names, contactCount: $0.sum.contactCount,
                    time: $0.sum.time)
            })
    }

    func title(_ time: TimeText) -> String {
        let count = rows.reduce(0) { $0 + $1.encounterCount }
        return "\(time.dateAndTime(start)) to \(time.dateAndTime(end)): "
            + "\(Count.text(count, "encounter")) at \(Count.text(rows.count, "board"))"
    }

    func table(_ time: TimeText) -> TextTable {
        var table = TextTable([
            .init(title: "BOARD", narrowing: .wrapped(minimum: 6)), .init(title: "LISTENED", isNumber: true),
            .init(title: "LONGEST BLIND", isNumber: true, narrowing: .dropped(rank: 1)),
            .init(title: "ENCOUNTERS", isNumber: true), .init(title: "PEAK", isNumber: true),
            .init(title: "AT", narrowing: .dropped(rank: 2)),
            .init(title: "BOARDS MET", isNumber: true, isOptional: true),
        ])
        for row in rows {
            table.append([
                names[row.board.identity],
                row.coverage?.coveredShare.map(CoverageText.percent) ?? "not fetched",
                row.coverage?.longestBlind.map { CoverageText.duration($0.duration) } ?? "-",
                "\(row.encounterCount)", "\(row.peak?.peakCount ?? 0)",
                row.peak.map {
                    spansDays(time) ? time.dateHourAndMinute($0.start) : time.hourAndMinute($0.start)
                } ?? "-", "\(row.boardsMet)",
            ])
        }
        return table
    }

    private func spansDays(_ time: TimeText) -> Bool { end > time.startOfDay(start, adding: 1) }

    /// A line for each pair of boards that were together longest.
    var meetings: [String] {
        guard !pairs.isEmpty else { return [] }
        let more = pairs.count - Self.listedPairs
        return [""]
            + pairs.prefix(Self.listedPairs).map { met in
                "\(names[met.pair.first]) met \(names[met.pair.second]) for \(TimeText.duration(met.sum.time)) in "
                    + Count.text(met.sum.contactCount, "contact")
            } + (more > 0 ? ["and \(Count.text(more, "other pair")); `tabardctl contacts` lists all"] : [])
    }
}
