import Archive
import EncounterLog
import FixedMemory
import Testing

@Suite struct CoverageAssemblyTests {
    @Test func `adjoining intervals are joined and their counts added`() throws {
        let timeline = try timeline([
            .covering(1, anchoredAt: noon, [(0, 1_000, 5), (1_000, 2_000, 7), (2_000, 3_000, 9)])
        ])
        #expect(timeline.covered.map(\.duration) == [3_000])
        #expect(timeline.covered.map(\.reportCount) == [21])
        #expect(timeline.covered.map(\.malformedCount) == [3])
        #expect(timeline.blind.isEmpty)
        #expect(CoverageSummary(timeline).coveredShare == 1)
    }

    @Test func `adjoining intervals with another scan timing stay apart, and leave nothing blind`() throws {
        var boot = BootHistory.covering(
            1, anchoredAt: noon, [(0, 1_000, 5), (1_000, 2_000, 7), (2_000, 3_000, 9)])
        let sparse = ScanTiming(intervalSlots: 960, windowSlots: 48)
        for index in 1...2 { boot.coverage[index].timing = sparse }
        boot.coverage[0].timing = ScanTiming(intervalSlots: 96, windowSlots: 80)
        let timeline = try timeline([boot])
        #expect(timeline.covered.map(\.duration) == [1_000, 2_000])
        #expect(timeline.covered.map(\.timing) == [boot.coverage[0].timing, sparse])
        #expect(timeline.timings == [sparse, boot.coverage[0].timing])
        #expect(timeline.blind.isEmpty)
        #expect(CoverageSummary(timeline).coveredShare == 1)
    }

    @Test func `an interval inside another is not counted twice`() throws {
        let timeline = try timeline([
            .covering(1, anchoredAt: noon, [(0, 10_000, 5), (2_000, 3_000, 5), (9_000, 12_000, 5)])
        ])
        #expect(timeline.covered.map(\.duration) == [12_000])
        #expect(CoverageSummary(timeline).covered == 12_000)
    }

    @Test func `the time between intervals is blind`() throws {
        let timeline = try timeline([.covering(1, anchoredAt: noon, [(0, 1_000, 5), (4_000, 9_000, 5)])])
        #expect(timeline.blind.map(\.start) == [pastNoon(1_000)])
        #expect(timeline.blind.map(\.end) == [pastNoon(4_000)])
        #expect(timeline.blind.map(\.cause) == [.unknown])
        #expect(timeline.blind.map(\.boot) == [1])
    }

    @Test func `intervals without a report are quiet`() throws {
        let timeline = try timeline([
            .covering(
                1, anchoredAt: noon, [(0, 1_000, 5), (1_000, 2_000, 0), (2_000, 5_000, 0), (5_000, 6_000, 1)])
        ])
        #expect(timeline.covered.map(\.quiet) == [[pastNoon(1_000)...pastNoon(5_000)]])
        #expect(CoverageSummary(timeline).quiet == 4_000)
        #expect(CoverageSummary(timeline).quietShare == 4.0 / 6)
    }

    @Test func `only the requested time counts`() throws {
        let boots = [BootHistory.covering(1, anchoredAt: noon, [(0, 10_000, 5), (20_000, 30_000, 0)])]
        let history = BoardHistory(board: .test, boots: boots)
        let timeline = try #require(
            CoverageAssembly.timelines(of: history, since: noon + 5_000, until: noon + 25_000).first)
        #expect(timeline.covered.map(\.duration) == [5_000, 5_000])
        #expect(timeline.blind.map(\.duration) == [10_000])
        #expect(CoverageSummary(timeline).coveredShare == 0.5)
        #expect(CoverageSummary(timeline).quiet == 5_000)
    }

    @Test func `time outside the log is reported as such`() throws {
        let history = BoardHistory(
            board: .test, boots: [.covering(1, anchoredAt: noon, [(0, 10_000, 5)])])
        let timeline = try #require(
            CoverageAssembly.timelines(of: history, since: noon - 5_000, until: noon + 25_000).first)
        #expect(timeline.blind.map(\.cause) == [.beforeRecord, .notFetched])
    }

    @Test func `a board that was fetched earlier than another is blind for the rest, not fetched yet`() throws
    {
        let early = BoardHistory(board: .test, boots: [.covering(1, anchoredAt: noon, [(0, 10_000, 5)])])
        let late = BoardHistory(board: .test, boots: [.covering(1, anchoredAt: noon, [(0, 90_000, 5)])])
        let timelines = CoverageAssembly.timelines(of: [CoverageAssembly(early), CoverageAssembly(late)])
        #expect(timelines.map(\.range) == [pastNoon(0)...pastNoon(90_000), pastNoon(0)...pastNoon(90_000)])
        let rest = try #require(timelines.first?.blind.last)
        #expect(rest.cause == .notFetched && rest.start == pastNoon(10_000) && rest.end == pastNoon(90_000))
        #expect(timelines.last?.blind.isEmpty == true)
    }

    @Test func `a board without data in the requested time is not fetched, if another has some`() throws {
        let early = BoardHistory(board: .test, boots: [.covering(1, anchoredAt: noon, [(0, 10_000, 5)])])
        let late = BoardHistory(board: .test, boots: [.covering(1, anchoredAt: noon, [(0, 90_000, 5)])])
        let timelines = CoverageAssembly.timelines(
            of: [CoverageAssembly(early), CoverageAssembly(late)], since: noon + 40_000)
        #expect(timelines.map(\.blind).map { $0.map(\.cause) } == [[.notFetched], []])
        #expect(timelines.first?.fetched.range.length == .zero)
    }

    @Test func `boards extend no further than the requested end`() throws {
        let early = BoardHistory(board: .test, boots: [.covering(1, anchoredAt: noon, [(0, 10_000, 5)])])
        let late = BoardHistory(board: .test, boots: [.covering(1, anchoredAt: noon, [(0, 90_000, 5)])])
        let timelines = CoverageAssembly.timelines(
            of: [CoverageAssembly(early), CoverageAssembly(late)], until: noon + 40_000)
        #expect(timelines.map(\.range.upperBound) == [pastNoon(40_000), pastNoon(40_000)])
    }

    @Test func `the fetched part of a timeline ends with the last fetched entry`() throws {
        let history = BoardHistory(board: .test, boots: [.covering(1, anchoredAt: noon, [(0, 10_000, 5)])])
        let timeline = try #require(CoverageAssembly.timelines(of: history, until: noon + 40_000).first)
        #expect(timeline.notFetched == 30_000)
        #expect(CoverageSummary(timeline.fetched).coveredShare == 1)
        #expect(timeline.fetched.fetched == timeline.fetched && timeline.fetched.notFetched == .zero)
    }

    @Test func `gaps are the time of a range without coverage, before and after it too`() throws {
        let timeline = try timeline([
            .covering(1, anchoredAt: noon, [(10_000, 20_000, 5), (30_000, 50_000, 5)])
        ])
        #expect(
            timeline.covered.gaps(in: pastNoon(0)...pastNoon(40_000)) == [
                pastNoon(0)...pastNoon(10_000), pastNoon(20_000)...pastNoon(30_000),
            ])
        #expect(
            timeline.covered.gaps(in: pastNoon(45_000)...pastNoon(60_000))
                == [pastNoon(50_000)...pastNoon(60_000)])
    }

    @Test func `a log whose beginning was overwritten reports it`() throws {
        let hole = LogHole(
            kind: .overwritten, before: nil, after: LogHole.Moment(boot: 1, instant: 4_000))
        let history = BoardHistory(
            board: .test, boots: [.covering(1, anchoredAt: noon, [(0, 10_000, 5)])], holes: [hole])
        let timeline = try #require(CoverageAssembly.timelines(of: history, since: noon - 5_000).first)
        #expect(timeline.blind.map(\.cause) == [.logOverwritten])
    }

    @Test func `a boot without a clock has its own timeline`() throws {
        let history = BoardHistory(
            board: .test,
            boots: [
                .covering(1, anchoredAt: noon, [(0, 10_000, 5)]),
                .covering(2, anchoredAt: nil, start: 500_000, [(501_000, 510_000, 5)]),
                .covering(3, anchoredAt: noon + 60_000, [(0, 10_000, 5)]),
            ])
        let timelines = CoverageAssembly.timelines(of: history)
        #expect(timelines.map(\.timeline) == [.wallClock(error: 25), .sinceStart(boot: 2)])
        #expect(timelines.first?.blind.map(\.cause) == [.noClock(bootCount: 1)])
        let relative = try #require(timelines.last)
        #expect(relative.range == 0...10_000)
        #expect(relative.blind.map(\.cause) == [.startingUp])
        #expect(relative.covered.map(\.startMark.instant) == [501_000])
        #expect(CoverageAssembly.timelines(of: history, since: noon).count == 1)
    }

    @Test func `each boot is placed by its best anchor`() throws {
        var first = BootHistory.covering(1, anchoredAt: noon + 90_000, error: 4_000, [(0, 10_000, 5)])
        first.anchors.append(
            Anchor(
                instant: 5_000, wallClock: noon + 5_000, error: 8,
                source: .host))
        let second = BootHistory.covering(2, anchoredAt: noon + 30_000, error: 70, [(0, 10_000, 5)])
        let timeline = try timeline([first, second])
        #expect(timeline.covered.map(\.start) == [pastNoon(0), pastNoon(30_000)])
        #expect(timeline.timeline == .wallClock(error: 75))
    }

    @Test func `contradicting clocks never count time twice`() throws {
        let timeline = try timeline([
            .covering(1, anchoredAt: noon, [(0, 10_000, 5)]),
            .covering(2, anchoredAt: noon + 6_000, [(0, 10_000, 5)]),
        ])
        // The two clocks contradict each other: one is trusted, and the other boot is only known to be
        // earlier.
        #expect(CoverageSummary(timeline).covered == 10_000)
        #expect(timeline.covered.map(\.start) == [pastNoon(6_000)])
    }

    @Test func `the longest blind time spans neighbouring causes`() throws {
        let timeline = try timeline([
            .covering(1, anchoredAt: noon, [(0, 10_000, 5)]),
            .covering(2, anchoredAt: noon, start: 17_000, [(18_000, 20_000, 5), (25_000, 26_000, 5)]),
        ])
        let longest = try #require(CoverageSummary(timeline).longestBlind)
        #expect(longest.duration == 8_000)
        #expect(longest.cause == .notRunning(lossWindow: 30_000))
    }

    @Test func `a time outside the log has no timeline`() {
        let history = BoardHistory(
            board: .test, boots: [.covering(1, anchoredAt: noon, [(0, 10_000, 5)])])
        #expect(CoverageAssembly.timelines(of: history, since: noon + 20_000).isEmpty)
        #expect(CoverageAssembly.timelines(of: history, until: noon - 20_000).isEmpty)
    }

    @Test func `a board that wrote nothing has no timeline`() {
        #expect(CoverageAssembly.timelines(of: BoardHistory(board: .test, boots: [])).isEmpty)
        let empty = BoardHistory(board: .test, boots: [BootHistory(identifier: 1)])
        #expect(CoverageAssembly.timelines(of: empty).isEmpty)
    }

    private func timeline(_ boots: [BootHistory]) throws -> CoverageTimeline {
        try #require(CoverageAssembly.timelines(of: BoardHistory(board: .test, boots: boots)).first)
    }
}
