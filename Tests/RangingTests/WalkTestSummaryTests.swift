import Testing

@testable import Ranging

@Suite struct WalkTestSummaryTests {
    private func summary(_ readings: [(seconds: Double, rssi: Double, distance: Double)]) throws
        -> WalkTestSummary
    {
        let digest = String(repeating: "a", count: 64)
        return WalkTestSummary(
            try unwrap(
                WalkTest(
                    session: "one", models: SyntheticWorld.pairs[0],
                    source: unwrap(WalkTest.Source(fileName: "run.csv", sha256: digest)),
                    readings: readings.map {
                        try unwrap(
                            WalkTest.Reading(
                                seconds: $0.seconds, rssiDBm: $0.rssi, distanceCentimetres: $0.distance))
                    })))
    }

    @Test func `readings at one distance are a place, in whole centimetres and in order`() throws {
        let places = try summary([(0, -70, 100), (1, -50, 0.4), (2, -72, 100.4), (3, -80, 200)]).places
        #expect(places.map(\.distanceCentimetres) == [0, 100, 200])
        #expect(places.map(\.meanRSSIDBm) == [-50, -71, -80])
        #expect(places.map(\.readingVariance) == [0, 1, 0])
    }

    @Test func `a window ends after 8 seconds, as a board's sample does`() throws {
        let places = try summary([
            (0, -70, 100), (7.9, -71, 100), (8, -72, 100), (15.9, -73, 100), (16, -74, 100),
        ])
        .places
        #expect(places.map { $0.windows.map(\.readingCount) } == [[2, 2, 1]])
        #expect(places.map { $0.windows.map(\.meanRSSIDBm) } == [[-70.5, -72.5, -74]])
    }

    @Test func `a window ends where the clock was set back`() throws {
        let places = try summary([(100, -70, 100), (101, -71, 100), (50, -72, 100), (51, -73, 100)]).places
        #expect(places.map { $0.windows.map(\.readingCount) } == [[2, 2]])
    }

    @Test func `a place that is visited twice is one place with windows of its own`() throws {
        let places = try summary([(0, -70, 100), (10, -60, 50), (20, -80, 100)]).places
        #expect(places.map(\.meanRSSIDBm) == [-60, -75])
        #expect(places.map { $0.windows.map(\.readingCount) } == [[1], [1, 1]])
    }
}
