import Testing

@testable import Ranging

/// Coverage where the truth is known: walk tests are made by the same errors that the model assumes, and then
/// new sessions at distances that are equally likely within the range.
@Suite struct CoverageTests {
    /// The share of new sessions' distances that intervals contain, and the intervals' mean width.
    private func measure(
        _ world: inout SyntheticWorld, sessions: Int = 60,
        _ interval: (SignalSummary, ModelPair) throws -> DistanceInterval
    ) throws -> (coverage: Double, width: Double) {
        var inside: [Double] = []
        var widths: [Double] = []
        for session in 0..<sessions {
            for models in SyntheticWorld.pairs {
                let distances = world.uniformDistances(30, upTo: 300)
                let walk = try world.walk("new \(session)", models, distances: distances)
                for place in WalkTestSummary(walk).places {
                    for window in place.windows {
                        let interval = try interval(window, models)
                        inside.append(interval.contains(centimetres: place.distanceCentimetres) ? 1 : 0)
                        widths.append(Double(interval.widthCentimetres))
                    }
                }
            }
        }
        return (inside.mean { $0 }, widths.mean { $0 })
    }

    private func calibration(_ walks: [WalkTest]) throws -> DistanceCalibration {
        try DistanceCalibration(walkTests: walks, created: .init(timeIntervalSince1970: 0))
    }

    private func interval(
        _ calibration: DistanceCalibration, _ signal: SignalSummary, _ models: ModelPair
    ) throws -> DistanceInterval {
        guard case .interval(let interval) = calibration.estimate(signal, of: models) else { throw Missing() }
        return interval
    }

    @Test(arguments: [(deviation: 2.5, seed: 11 as UInt64), (3.5, 12), (5, 13)])
    func `new sessions are covered at 75 to 87 %, and more narrowly than by the prior`(
        _ deviation: Double, _ seed: UInt64
    ) throws {
        // The assumed deviation between sessions is wrong on purpose in all three; sessions are as few per
        // pair as a field team has.
        var world = SyntheticWorld(seed: seed)
        world.sessionDeviationDB = deviation
        var coverages: [Double] = []
        for _ in 0..<5 {
            let calibration = try calibration(world.walks(sessionsPerPair: 2))
            let measured = try measure(&world, sessions: 10) { try interval(calibration, $0, $1) }
            coverages.append(measured.coverage)
            #expect(measured.width < 0.9 * 240)
        }
        print("deviation \(deviation) dB: coverage \(coverages.mean { $0 })")
        #expect((0.75...0.87).contains(coverages.mean { $0 }))
    }

    @Test func `leaving out sessions measures the coverage that new sessions have`() throws {
        var world = SyntheticWorld(seed: 21)
        let calibration = try calibration(world.walks(sessionsPerPair: 12))
        let measured = try #require(calibration.evaluation.calibrated)
        let actual = try measure(&world) { try interval(calibration, $0, $1) }
        print("left out \(measured.coverage), new \(actual.coverage)")
        #expect(abs(measured.coverage - actual.coverage) < 0.05)
        #expect(abs(measured.meanWidthCentimetres - actual.width) < 15)
        #expect(measured.sessionCount == 48 && measured.runCount == 48)
        #expect(measured.priorWidthCentimetres == 240)
    }

    @Test func `a calibration that knows only readings and multipath, but no sessions, is too narrow`() throws
    {
        var world = SyntheticWorld(seed: 31)
        world.sessionDeviationDB = 6
        let calibration = try calibration(world.walks(sessionsPerPair: 2))
        var narrow = calibration.model
        narrow.sessionDeviationDB = 0
        narrow.placeDeviationDB = 2
        let measured = try measure(&world, sessions: 20) { signal, models in
            try unwrap(DistanceEstimator(narrow, of: models)).interval(signal, coverage: 0.8)
        }
        print("too narrow: coverage \(measured.coverage)")
        #expect(measured.coverage < 0.7)
    }

    @Test func `only runs whose pair another session has count as calibrated`() throws {
        var world = SyntheticWorld(seed: 41)
        let distances = Array(stride(from: 0.0, through: 300, by: 20))
        var walks = try SyntheticWorld.pairs.map {
            try world.walk("s-\($0.transmitter)", $0, distances: distances)
        }
        walks.append(try world.walk("again", SyntheticWorld.pairs[0], distances: distances))
        let evaluation = try calibration(walks).evaluation
        #expect(evaluation.runs.filter(\.isCalibrated).map(\.session) == ["again", "s-A"])
        #expect(evaluation.calibrated?.sessionCount == 2)
        #expect(evaluation.all?.sessionCount == 5)
        #expect(evaluation.all?.runCount == 5)
    }

    @Test func `sessions weigh equally, however many runs they have`() {
        func run(_ session: String, _ index: Int, _ coverage: Double) -> CoverageEvaluation.Run {
            CoverageEvaluation.Run(
                session: session, models: SyntheticWorld.pairs[index], isCalibrated: true,
                figures: CoverageEvaluation.Figures(
                    windowCount: 1, coverage: coverage, meanWidthCentimetres: 100 * coverage, openShare: 0,
                    priorWidthCentimetres: 240))
        }
        let pooled = CoverageEvaluation(runs: [run("one", 0, 1), run("one", 1, 1), run("two", 0, 0)])
            .calibrated
        #expect(pooled?.coverage == 0.5)
        #expect(pooled?.meanWidthCentimetres == 50)
    }

    @Test func `both phones' runs of a session are left out together`() throws {
        var world = SyntheticWorld(seed: 51)
        world.placeDeviationDB = 1
        world.readingDeviationDB = 0.5
        let distances = Array(stride(from: 0.0, through: 300, by: 10))
        // The same pair twice in one session: without its session it has no walk test.
        var walks = try (0..<2).map { _ in
            try world.walk("one", SyntheticWorld.pairs[0], distances: distances)
        }
        for session in ["two", "three"] {
            walks.append(try world.walk(session, SyntheticWorld.pairs[1], distances: distances))
            walks.append(try world.walk(session, SyntheticWorld.pairs[2], distances: distances))
        }
        let runs = try calibration(walks).evaluation.runs
        #expect(runs.filter { $0.session == "one" }.map(\.isCalibrated) == [false, false])
    }

    @Test func `a run that cannot be evaluated is listed all the same`() throws {
        var world = SyntheticWorld(seed: 61)
        let distances = Array(stride(from: 0.0, through: 300, by: 10))
        // Without session "three" only one pair is left, which tells nothing of others.
        let walks = try [("one", 0), ("two", 0), ("three", 1)].map {
            try world.walk($0, SyntheticWorld.pairs[$1], distances: distances)
        }
        let calibration = try calibration(walks)
        #expect(calibration.evaluation.runs.map(\.session) == ["one", "three", "two"])
        #expect(calibration.evaluation.runs.map { $0.figures == nil } == [false, true, false])
        #expect(calibration.evaluation.runs.map(\.isCalibrated) == [true, false, true])
        #expect(calibration.evaluation.all?.runCount == 2)
        #expect(try DistanceCalibration(json: calibration.json()) == calibration)
    }
}
