import Archive
import ArchiveTestSupport
import FixedMemory
import LogContents
import TestSupport
import Testing

@testable import Reports

/// A page is small however much there is, and whatever names there are.
@Suite struct ReportSizeTests {
    private static let boardCount = 1_000
    /// The worst of all names.
    private static let hostileName =
        "<script>alert('&')</script>\u{202e}\"" + String(repeating: "\u{1f469}", count: 60)

    private func model() throws -> ReportModel {
        let boards = try (0..<Self.boardCount).map(PairTotalsTests.board)
        let history = boards.prefix(42).map(Self.history)
        let encounters = (0..<400).map { number in
            SampleWorld.encounter(
                with: TwoBoards.venue(String(repeating: "&<\(number)>", count: 20)),
                TimelinePoint(SampleWorld.morning) + .minutes(UInt64(number))...TimelinePoint(
                    SampleWorld.morning)
                    + .minutes(UInt64(number * 3)),
                samples: Self.samples(number))
        }
        let timelines = history.flatMap { CoverageAssembly.timelines(of: $0) }
        var model = ReportModel(
            title: Self.hostileName, encounters: encounters,
            boards: boards.map { TwoBoards.archived($0, Self.hostileName) }, periods: [], coverage: timelines,
            record: timelines,
            logs: [boards[0]: ReportedLog(losses: Array(repeating: "4 segments, lost", count: 5_000))],
            origin: ReportOrigin(evidence: "0123", toolVersion: "0.1.0"), time: TimeText(timeZone: .gmt))
        var pairs = PairTotals()
        for number in 0..<6_000 {
            pairs.add(
                PairTotalsTests.contact(
                    boards[number % 61], boards[number % 1_000], from: Int64(number) * 1_000,
                    to: Int64(number) * 1_000 + 400_000))
        }
        model.pairs = pairs
        var occupancy = Occupancy(bins: TimeBins(covering: try #require(model.datedRange), zone: model.time))
        for board in boards.prefix(20) {
            for part in 0..<occupancy.bins.count {
                occupancy.add(
                    PresenceSlot(
                        board: board, start: WallClockTime(clamping: occupancy.bins.edges[part]),
                        peerCount: 9 + part % 7, boardCount: 1, peakCount: 1 + part % 5,
                        presentTime: .minutes(UInt64(part % 11)), arrivalCount: 1, departureCount: 1,
                        clockError: 0))
            }
        }
        model.occupancy = occupancy
        return model
    }

    private static func history(of board: LogIdentity) -> BoardHistory {
        let boot = BootHistory(
            identifier: 1,
            anchors: [Anchor(instant: 0, wallClock: SampleWorld.morning, error: 1, source: .host)],
            coverage: (0..<500 as Range<UInt64>).map { index in
                Coverage(
                    start: .start + .minutes(30 * index), end: .start + .minutes(30 * index + 5 + index % 24),
                    reportCount: Int(index % 2))
            })
        return BoardHistory(board: board, boots: [boot])
    }

    private static func samples(_ number: Int) -> [Sample<TimelinePoint>] {
        (0..<300).map { index in
            let start =
                TimelinePoint(SampleWorld.morning) + .minutes(UInt64(number)) + .seconds(UInt64(index * 8))
            return Sample(
                start: start, end: start + .seconds(8), readingCount: 9, minimumDBm: -90 + index % 9,
                maximumDBm: -50 - index % 7, meanDBm: -70 + Double(index % 13))
        }
    }

    @Test func `a report of very much about 1000 boards has at most 2 MB`() throws {
        var model = try model()
        let size = HTMLReport(model).html().utf8.count
        #expect(size < 2_000_000, "\(size) bytes")
        let distances = ContactDistances(nil, labels: Labels())
        model.detail = ReportDetail(
            subject: Self.hostileName,
            meetings: Array(
                repeating: Meeting(
                    PairTotalsTests.contact(
                        model.boards[0].identity, model.boards[1].identity, from: 0, to: 9_000),
                    of: model.boards[0].identity, names: model.names, distances), count: 20_000),
            strangerCount: 7, unheard: [], distances: distances)
        model.show(Array(repeating: model.encounters[0], count: 150))
        let detailSize = HTMLReport(model).html().utf8.count
        #expect(detailSize < 2_000_000, "\(detailSize) bytes")
    }

    @Test func `names cannot become markup, in any section`() throws {
        let html = HTMLReport(try model()).html()
        #expect(!html.contains("<script") && !html.contains("\u{202e}") && !html.contains("&<"))
    }

    @Test func `small counts are hidden everywhere, and single people are not shown`() {
        var model = TwoBoards.model()
        var occupancy = Occupancy(
            bins: TimeBins(
                covering: TimelinePoint(milliseconds: 0)...TimelinePoint(milliseconds: 9_000_000),
                zone: model.time))
        for (index, count) in [0, 3, 4, 5, 17].enumerated() {
            occupancy.add(
                PresenceSlot(
                    board: TwoBoards.foyer, start: WallClockTime(milliseconds: UInt64(index) * 900_000),
                    peerCount: count,
                    boardCount: 0, peakCount: count, presentTime: .minutes(1), arrivalCount: 0,
                    departureCount: 0,
                    clockError: 0))
        }
        model.occupancy = occupancy
        model.options = ReportOptions(people: PeopleCount(smallest: 5))
        model.show(model.encounters)
        let html = HTMLReport(model).html()
        #expect(
            html.contains("&lt;5 identities") && html.contains("<b>&lt;5</b> <span>boards of this archive"))
        #expect(!html.contains("class=\"lane known\"") && !html.contains("class=\"trace\""))
        #expect(!html.contains("Adams Pizza") && !html.contains("(Canteen, Badge)"))
        let fields = OccupancyFigure(model: model, occupancy: occupancy).csv.map { $0[3] }
        #expect(fields.prefix(6) == ["peak", "0", "<5", "<5", "5", "17"])
    }
}
