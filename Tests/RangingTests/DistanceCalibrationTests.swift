import Foundation
import Testing

@testable import Ranging

@Suite struct DistanceCalibrationTests {
    private let created = Date(timeIntervalSince1970: 1_700_000_000.75)

    private func walks(sessions: Int = 2) throws -> [WalkTest] {
        var world = SyntheticWorld(seed: 7)
        return try world.walks(sessionsPerPair: sessions)
    }

    private func refusal(_ walks: [WalkTest]) -> CalibrationRefusal? {
        do {
            _ = try DistanceCalibration(walkTests: walks, created: created)
            return nil
        } catch { return error }
    }

    @Test func `a pair with a walk test gets an interval, and any other is not calibrated`() throws {
        let calibration = try DistanceCalibration(walkTests: walks(), created: created)
        let signal = try unwrap(SignalSummary(meanRSSIDBm: -60, readingCount: 10))
        guard case .interval(let interval) = calibration.estimate(signal, of: SyntheticWorld.pairs[0]) else {
            Issue.record("expected an interval")
            return
        }
        #expect(interval.contains(centimetres: 90))
        let other = try unwrap(ModelPair(receiver: "board", transmitter: "E"))
        #expect(calibration.estimate(signal, of: other) == .notCalibrated(.pairWithoutWalkTest(other)))
        #expect(calibration.estimate(signal, of: nil) == .notCalibrated(.modelUnknown))
        #expect(calibration.calibratedPairs == SyntheticWorld.pairs)
    }

    @Test func `the other direction of a pair needs its own walk test`() throws {
        let calibration = try DistanceCalibration(walkTests: walks(), created: created)
        let signal = try unwrap(SignalSummary(meanRSSIDBm: -60, readingCount: 10))
        let reverse = try unwrap(ModelPair(receiver: "A", transmitter: "board"))
        #expect(calibration.estimate(signal, of: reverse) == .notCalibrated(.pairWithoutWalkTest(reverse)))
    }

    @Test func `estimates name their coverage, or why there is none`() throws {
        let calibration = try DistanceCalibration(walkTests: walks(), created: created)
        let signal = try unwrap(SignalSummary(meanRSSIDBm: -60, readingCount: 10))
        let text = calibration.estimate(signal, of: SyntheticWorld.pairs[0]).description
        #expect(text.hasSuffix("(80 % interval)"))
        #expect(calibration.estimate(signal, of: nil).description.hasPrefix("not calibrated"))
    }

    @Test func `one reading gives a wider interval than many`() throws {
        var world = SyntheticWorld(seed: 8)
        world.readingDeviationDB = 8
        let calibration = try DistanceCalibration(
            walkTests: world.walks(sessionsPerPair: 2), created: created)
        let widths = try [1, 100].map { count -> Int in
            let signal = try unwrap(SignalSummary(meanRSSIDBm: -55, readingCount: count))
            guard case .interval(let interval) = calibration.estimate(signal, of: SyntheticWorld.pairs[0])
            else { throw Missing() }
            return interval.widthCentimetres
        }
        #expect(widths[0] > widths[1])
    }

    @Test func `the order of walk tests changes nothing, not even a bit`() throws {
        var world = SyntheticWorld(seed: 9)
        var walks = try world.walks(sessionsPerPair: 3)
        // Sessions with runs of several pairs, and with several of one.
        for models in SyntheticWorld.pairs + SyntheticWorld.pairs {
            walks.append(
                try world.walk("shared", models, distances: Array(stride(from: 0.0, through: 300, by: 7))))
        }
        let first = try DistanceCalibration(walkTests: walks, created: created).json()
        for _ in 0..<5 {
            let other = try DistanceCalibration(walkTests: world.shuffled(walks), created: created)
            #expect(try other.json() == first)
        }
    }

    @Test func `fewer sessions than three are refused`() throws {
        let walks = try walks(sessions: 1)
        #expect(refusal([]) == .tooFewSessions(0))
        #expect(refusal(Array(walks.prefix(2))) == .tooFewSessions(2))
        #expect(refusal(Array(walks.prefix(3))) == nil)
    }

    @Test func `a walk test with fewer distances than five is refused by name`() throws {
        var world = SyntheticWorld(seed: 10)
        let short = try world.walk("short", SyntheticWorld.pairs[0], distances: [0, 100, 200, 300])
        #expect(
            refusal(try walks() + [short])
                == .tooFewDistances(session: "short", models: SyntheticWorld.pairs[0], count: 4))
    }

    @Test func `walk tests of less than a metre are refused`() throws {
        var world = SyntheticWorld(seed: 11)
        let near = try (0..<3).map {
            try world.walk("\($0)", SyntheticWorld.pairs[0], distances: [0, 20, 40, 60, 80, 99])
        }
        #expect(refusal(near) == .rangeTooShort(centimetres: 99))
    }

    @Test func `the same file under two names is refused`() throws {
        let walks = try walks()
        let copy = try unwrap(
            WalkTest(
                session: "copy", models: walks[0].models, source: walks[0].source,
                readings: walks[0].readings))
        #expect(
            refusal(walks + [copy])
                == .sameFileTwice(fileName: copy.source.fileName, sha256: copy.source.sha256))
    }

    @Test func `walk tests in which RSSI does not fall are refused`() throws {
        var world = SyntheticWorld(seed: 12)
        world.exponent = 0
        let walks = try world.walks(sessionsPerPair: 4)
        guard case .signalDoesNotFall(let exponent) = refusal(walks) else {
            Issue.record("expected a refusal")
            return
        }
        #expect(abs(exponent) < CalibrationRefusal.leastExponent)
    }

    @Test func `refusals name what is missing and how much is needed`() throws {
        let pair = SyntheticWorld.pairs[0]
        let texts: [(CalibrationRefusal, [String])] = [
            (.tooFewSessions(1), ["1 session", "at least 3"]),
            (
                .tooFewDistances(session: "one", models: pair, count: 4),
                ["one", "\(pair)", "4", "at least 5"]
            ),
            (.rangeTooShort(centimetres: 50), ["50 cm", "at least 100 cm"]),
            (.sameFileTwice(fileName: "walk.csv", sha256: "abc"), ["walk.csv", "twice"]),
            (.signalDoesNotFall(exponent: 0.123), ["0.12", "0.3"]),
        ]
        for (refusal, parts) in texts {
            for part in parts { #expect(refusal.description.contains(part)) }
        }
    }

    @Test func `parts of a contact combine by their numbers of readings`() throws {
        let parts = try [(-60.0, 1), (-70, 3)].map {
            try unwrap(SignalSummary(meanRSSIDBm: $0, readingCount: $1))
        }
        #expect(SignalSummary(combining: parts) == SignalSummary(meanRSSIDBm: -67.5, readingCount: 4))
        #expect(SignalSummary(combining: []) == nil)
        let most = try unwrap(SignalSummary(meanRSSIDBm: -60, readingCount: .max))
        #expect(SignalSummary(combining: [most, most]) == nil)
    }

    @Test func `values that cannot be make no models, files, walk tests and signals`() throws {
        for name in ["", "a\nb", "\u{7F}", String(repeating: "x", count: 65)] {
            #expect(ModelPair(receiver: name, transmitter: "A") == nil)
            #expect(ModelPair(receiver: "A", transmitter: name) == nil)
        }
        let digest = String(repeating: "a", count: 64)
        #expect(WalkTest.Source(fileName: "run.csv", sha256: digest) != nil)
        for (file, sha256) in [("", digest), ("a\u{1B}", digest), ("a", "ab"), ("a", digest.uppercased())] {
            #expect(WalkTest.Source(fileName: file, sha256: sha256) == nil)
        }
        let walk = try walks()[0]
        #expect(
            WalkTest(session: "", models: walk.models, source: walk.source, readings: walk.readings) == nil)
        #expect(WalkTest(session: "one", models: walk.models, source: walk.source, readings: []) == nil)
        for (rssi, count) in [(-60.0, 0), (-60, -1), (-128, 1), (21, 1), (.nan, 1), (.infinity, 1)] {
            #expect(SignalSummary(meanRSSIDBm: rssi, readingCount: count) == nil)
        }
    }
}
