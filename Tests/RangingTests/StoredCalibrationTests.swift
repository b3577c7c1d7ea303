import Foundation
import Testing

@testable import Ranging

@Suite struct StoredCalibrationTests {
    private func calibration() throws -> DistanceCalibration {
        var world = SyntheticWorld(seed: 6)
        return try DistanceCalibration(
            walkTests: world.walks(sessionsPerPair: 2), created: Date(timeIntervalSince1970: 1_700_000_000.75)
        )
    }

    private func failure(_ json: Data) -> DistanceCalibration.FileFailure? {
        do {
            _ = try DistanceCalibration(json: json)
            return nil
        } catch { return error }
    }

    /// The file with one value replaced; the path is keys and indices.
    private func edited(_ json: Data, _ path: [String], _ value: Any?) throws -> Data {
        func edit(_ node: Any, _ rest: ArraySlice<String>) -> Any? {
            guard let key = rest.first else { return value }
            if var object = node as? [String: Any] {
                object[key] = object[key].flatMap { edit($0, rest.dropFirst()) }
                return object
            }
            guard var array = node as? [Any], let index = Int(key),
                let new = edit(array[index], rest.dropFirst())
            else { return nil }
            array[index] = new
            return array
        }
        let root = try JSONSerialization.jsonObject(with: json)
        return try JSONSerialization.data(withJSONObject: unwrap(edit(root, path[...])))
    }

    @Test func `a stored calibration is read as it was written`() throws {
        let calibration = try calibration()
        let read = try DistanceCalibration(json: calibration.json())
        #expect(read == calibration)
        #expect(try read.json() == calibration.json())
        #expect(read.evaluation.calibrated == calibration.evaluation.calibrated)
    }

    @Test func `it names what it was made of`() throws {
        let calibration = try calibration()
        let text = String(decoding: try calibration.json(), as: UTF8.self)
        for source in calibration.sources { #expect(text.contains(source.file.sha256)) }
        #expect(text.contains(#""created" : "2023-11-14T22:13:20Z""#))
        #expect(calibration.sources.map(\.readingCount) == Array(repeating: 248, count: 8))
        #expect(calibration.sources.map(\.distanceCount) == Array(repeating: 31, count: 8))
        #expect(calibration.sources[0].lastReading.timeIntervalSince1970 == 1_807)
    }

    @Test func `another format or version is refused`() throws {
        let json = try calibration().json()
        #expect(failure(try edited(json, ["version"], 2)) == .versionUnknown(2))
        for other in [
            try edited(json, ["format"], "x"), try edited(json, ["format"], nil), Data(), Data("[]".utf8),
        ] {
            guard case .notCalibration = failure(other) else {
                Issue.record("expected a refusal")
                continue
            }
        }
        #expect(failure(Data(count: DistanceCalibration.longestFileBytes + 1)) == .tooLong)
    }

    @Test(arguments: [
        ("coverage", 0.9), ("model.exponent", 0.1), ("model.exponent", 11), ("model.placeDeviationDB", 0),
        ("model.placeDeviationDB", 51), ("model.sessionDeviationDB", -1), ("model.rangeCentimetres", 50),
        ("model.rangeCentimetres", 1e9), ("pairs.0.levelDBm", 301), ("pairs.0.readingVarianceDB2", -1),
        ("pairs.0.sessions", 0), ("sources.0.readings", 0), ("sources.0.distances", 0),
        ("sources.0.farthestCentimetres", -1), ("leaveOneSessionOut.0.figures.coverage", 1.5),
        ("leaveOneSessionOut.0.figures.openShare", -0.5),
        ("leaveOneSessionOut.0.figures.meanWidthCentimetres", -1),
        ("leaveOneSessionOut.0.figures.priorWidthCentimetres", 1e6),
        ("leaveOneSessionOut.0.figures.windows", 0),
    ])
    func `every number outside its range is refused by its name`(_ path: String, _ value: Double) throws {
        let keys = path.split(separator: ".").map(String.init)
        guard case .valueInvalid(let name) = failure(try edited(calibration().json(), keys, value)) else {
            Issue.record("\(path) = \(value) was read")
            return
        }
        #expect(path.hasPrefix(name))
    }

    @Test(arguments: [
        "pairs.0.receiver", "pairs.0.transmitter", "sources.0.session", "sources.0.file", "sources.0.sha256",
        "sources.0.receiver", "leaveOneSessionOut.0.session", "leaveOneSessionOut.0.transmitter",
    ])
    func `every text that is none is refused by its name`(_ path: String) throws {
        let keys = path.split(separator: ".").map(String.init)
        guard case .valueInvalid(let name) = failure(try edited(calibration().json(), keys, "\u{1}")) else {
            Issue.record("\(path) was read")
            return
        }
        #expect(path.hasPrefix(name))
        #expect(failure(try edited(calibration().json(), keys, nil)) == .valueInvalid(path))
    }

    @Test func `a calibrated run without figures is refused`() throws {
        var world = SyntheticWorld(seed: 6)
        let calibration = try DistanceCalibration(
            walkTests: world.walks(sessionsPerPair: 2), created: Date(timeIntervalSince1970: 0))
        let json = try edited(calibration.json(), ["leaveOneSessionOut", "0", "figures"], nil)
        #expect(failure(json) == .valueInvalid("leaveOneSessionOut.0"))
    }

    @Test func `one pair given twice is refused`() throws {
        let json = try calibration().json()
        #expect(failure(try edited(json, ["pairs", "1", "transmitter"], "A")) == .valueInvalid("pairs.1"))
        #expect(failure(try edited(json, ["pairs"], [Any]())) == .valueInvalid("pairs"))
    }

    @Test func `any damage gives a calibration or a failure`() throws {
        var random = SplitMix64(state: 20_261_129)
        print("damaged calibrations, seed 20261129")
        let json = try calibration().json()
        for _ in 0..<1_000 {
            var damaged = json
            for _ in 0..<2 {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            if failure(damaged) == nil {
                let calibration = try DistanceCalibration(json: damaged)
                let signal = try unwrap(SignalSummary(meanRSSIDBm: -60, readingCount: 1))
                for pair in calibration.calibratedPairs { _ = calibration.estimate(signal, of: pair) }
            }
        }
    }
}
