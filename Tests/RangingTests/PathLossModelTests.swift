import Testing

@testable import Ranging

@Suite struct PathLossModelTests {
    @Test func `a fit finds the exponent, the levels and the deviations that made the readings`() throws {
        var world = SyntheticWorld(seed: 1)
        let model = PathLossModel(try world.walks(sessionsPerPair: 30).map(WalkTestSummary.init))
        #expect(abs(model.exponent - 1.4) < 0.05)
        #expect(abs(model.placeDeviationDB - 5) < 0.3)
        #expect(abs(model.sessionDeviationDB - 3) < 0.4)
        #expect(model.rangeCentimetres == 300)
        for (index, models) in SyntheticWorld.pairs.enumerated() {
            let level = try #require(model.levels[models])
            #expect(abs(level.levelDBm - (-60 - 8 * Double(index))) < 2)
            #expect(level.sessionCount == 30)
            #expect(abs(level.readingVariance - 4 * 7 / 8) < 0.5)
        }
    }

    @Test func `without repeated sessions the deviation between them is the assumed one`() throws {
        var world = SyntheticWorld(seed: 2)
        let model = PathLossModel(try world.walks(sessionsPerPair: 1).map(WalkTestSummary.init))
        #expect(model.sessionDeviationDB == PathLossModel.assumedSessionDeviationDB)
    }

    @Test func `two sessions that agree do not prove that all do`() throws {
        var world = SyntheticWorld(seed: 3)
        world.sessionDeviationDB = 0
        world.placeDeviationDB = 0
        let model = PathLossModel(try world.walks(sessionsPerPair: 2).map(WalkTestSummary.init))
        #expect(model.sessionDeviationDB > 0.6 * PathLossModel.assumedSessionDeviationDB)
    }

    @Test func `phones that lie at one place for hours count no more there than elsewhere`() throws {
        var world = SyntheticWorld(seed: 4)
        let walk = try world.walk("one", SyntheticWorld.pairs[0], distances: [0, 50, 100, 150, 200, 250])
        let long = try unwrap(
            WalkTest(
                session: walk.session, models: walk.models, source: walk.source,
                readings: walk.readings
                    + Array(repeatElement(walk.readings.prefix(8), count: 500).joined())))
        let models = [walk, long].map { PathLossModel([WalkTestSummary($0)]) }
        #expect(abs(models[0].exponent - models[1].exponent) < 1e-9)
        #expect(abs(models[0].placeDeviationDB - models[1].placeDeviationDB) < 1e-9)
    }

    @Test func `both phones' runs of one session weigh as much as one run of another`() throws {
        var world = SyntheticWorld(seed: 5)
        world.placeDeviationDB = 0
        world.readingDeviationDB = 0
        let distances = Array(stride(from: 0.0, through: 300, by: 20))
        world.exponent = 1
        let first = try SyntheticWorld.pairs[..<2].map { try world.walk("one", $0, distances: distances) }
        world.exponent = 2
        let second = try world.walk("two", SyntheticWorld.pairs[2], distances: distances)
        let model = PathLossModel((first + [second]).map(WalkTestSummary.init))
        #expect(abs(model.exponent - 1.5) < 1e-6)
    }

    @Test func `more readings at one place reduce their scatter but not multipath`() throws {
        let model = PathLossModel(
            exponent: 1, placeDeviationDB: 4, sessionDeviationDB: 3, rangeCentimetres: 300, levels: [:])
        let level = PathLossModel.PairLevel(levelDBm: -60, sessionCount: 1, readingVariance: 9)
        func deviation(_ count: Int) throws -> Double {
            model.deviationDB(of: try unwrap(SignalSummary(meanRSSIDBm: -60, readingCount: count)), at: level)
        }
        #expect(abs(try deviation(1) - (18.0 + 16 + 9).squareRoot()) < 1e-9)
        #expect(abs(try deviation(1_000_000) - (18.0 + 16).squareRoot()) < 1e-4)
    }
}
