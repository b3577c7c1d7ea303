import Exposure
import TestSupport
import Testing

/// Tests/Vectors/exposure-risk.json
private struct ExposureRiskVectors: Decodable {
    struct Case: Decodable, CustomTestStringConvertible, Sendable {
        let name: String
        /// Seconds after midnight, attenuation, seconds since the last scan.
        let sightings: [[Int?]]
        let windows: [Window]
        let coronaWarnApp: [Day]
        let swissCovidPilot: [Day]
        var testDescription: String { name }
    }

    struct Window: Decodable, Sendable {
        let start: UInt64
        /// Typical and least attenuation, seconds.
        let scans: [[Int]]
    }

    /// Days after the first, weighted minutes, level.
    struct Day: Decodable, Sendable {
        let number: UInt64
        let minutes: Double
        let level: String

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            number = try values.decode(UInt64.self)
            minutes = try values.decode(Double.self)
            level = try values.decode(String.self)
        }
    }

    let cases: [Case]

    static func load() throws -> [Case] {
        try Vectors.load("exposure-risk.json", as: ExposureRiskVectors.self).cases
    }
}

private let today: UInt64 = 18_389  // 2020-05-07

@Suite struct ExposureRiskTests {
    private func windows(
        _ sightings: [[Int?]], _ infectiousness: Infectiousness = .high,
        _ reportType: ExposureReportType = .confirmedTest
    ) throws -> [ExposureWindow] {
        let sightings = try sightings.map {
            ExposureSighting(
                unixSeconds: today * 86_400 + UInt64(try #require($0[0])), attenuationDB: try #require($0[1]),
                secondsSinceLastScan: $0[2])
        }
        return ExposureWindow.windows(
            of: sightings.reversed(), infectiousness: infectiousness, reportType: reportType)
    }

    @Test func `sightings become windows, and windows become days, as computed by hand`() throws {
        let cases = try ExposureRiskVectors.load()
        #expect(cases.count == 4)
        for one in cases {
            let windows = try windows(one.sightings)
            #expect(
                windows.map { $0.startSeconds - today * 86_400 } == one.windows.map(\.start), "\(one.name)")
            for (window, expected) in zip(windows, one.windows) {
                let scans = window.scans.map {
                    [$0.typicalAttenuationDB, $0.minimumAttenuationDB, $0.secondsSinceLastScan]
                }
                #expect(scans == expected.scans, "\(one.name)")
            }
            check(windows, .coronaWarnApp, one.coronaWarnApp, one.name)
            check(windows, .swissCovidPilot, one.swissCovidPilot, one.name)
        }
    }

    private func check(
        _ windows: [ExposureWindow], _ risk: DeployedExposureRisk, _ expected: [ExposureRiskVectors.Day],
        _ name: String
    ) {
        let days = DailyExposure.days(of: windows, by: risk.weights)
        #expect(days.map { $0.daysSince1970 - today } == expected.map(\.number), "\(name)")
        for (day, expected) in zip(days, expected) {
            #expect(abs(day.scoreSum / 60 - expected.minutes) < 1e-9, "\(name)")
            #expect("\(risk.level(of: day))" == expected.level, "\(name)")
        }
    }

    @Test func `windows below the minimum score do not count, but their day is listed`() throws {
        // 300 s, and 120 s half an hour later.
        let windows = try windows([[0, 65, 300], [2_000, 65, 120]])
        var weights = DeployedExposureRisk.coronaWarnApp.weights
        weights.minimumWindowScore = 121
        let day = try #require(DailyExposure.days(of: windows, by: weights).first)
        #expect([day.scoreSum, day.maximumScore, day.weightedSeconds] == [300, 300, 300])
        weights.minimumWindowScore = 301
        let none = try #require(DailyExposure.days(of: windows, by: weights).first)
        #expect([none.scoreSum, none.maximumScore, none.weightedSeconds] == [0, 0, 0])
    }

    @Test func `infectiousness and report type weight the score, not the seconds`() throws {
        let weights = ExposureWeights(
            thresholdsDB: (50, 60, 70), nearness: (2, 1, 0.5, 0), infectiousness: [.standard: 0.5, .high: 1],
            reports: [.confirmedTest: 1, .selfReport: 0.25])
        let sightings = [[0, 50, 300]]
        for (infectiousness, reportType, score) in [
            (.high, .confirmedTest, 600), (.standard, .confirmedTest, 300), (.standard, .selfReport, 75),
            (.none, .confirmedTest, 0), (.high, .confirmedClinicalDiagnosis, 0),
        ] as [(Infectiousness, ExposureReportType, Double)] {
            let windows = try windows(sightings, infectiousness, reportType)
            let day = try #require(DailyExposure.days(of: windows, by: weights).first)
            #expect(day.scoreSum == score)
            #expect(day.weightedSeconds == 600)
        }
    }

    @Test func `revoked reports and those of unknown type belong to no day`() throws {
        for reportType in [ExposureReportType.revoked, .unknown] {
            let windows = try windows([[0, 50, 300]], .high, reportType)
            #expect(DailyExposure.days(of: windows, by: DeployedExposureRisk.coronaWarnApp.weights).isEmpty)
        }
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `a shuffled window has its scans in another order and the same risk`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let window = try #require(try windows((0..<6).map { [$0 * 290, 50 + $0, 60 * ($0 % 5)] }).first)
        let shuffled = window.shuffled(using: &generator)
        #expect(shuffled.scans != window.scans, "seed \(seed)")
        #expect(shuffled.scans.map(\.typicalAttenuationDB).sorted() == Array(50...55), "seed \(seed)")
        let weights = DeployedExposureRisk.swissCovidPilot.weights
        #expect(weights.score(of: shuffled) == weights.score(of: window), "seed \(seed)")
    }

    @Test func `attenuation is the path loss, and impossible transmit powers are refused`() {
        #expect(
            ExposureSighting(unixSeconds: 0, txPowerDBm: -20, rssiDBm: -75, receiverCorrectionDB: 5)?
                .attenuationDB == 50)
        for power in [-51, 21] as [Int8] {
            #expect(ExposureSighting(unixSeconds: 0, txPowerDBm: power, rssiDBm: -75) == nil)
        }
        for power in [-50, 20] as [Int8] {
            #expect(ExposureSighting(unixSeconds: 0, txPowerDBm: power, rssiDBm: -75) != nil)
        }
    }

    @Test func `a mapping has a value for each of 29 days, and for missing ones`() throws {
        var byDay = [Infectiousness](repeating: .none, count: 29)
        (byDay[0], byDay[14], byDay[28]) = (.standard, .high, .standard)
        let mapping = try #require(
            DiagnosisKeyMapping(
                byDay: byDay, infectiousnessWhenMissing: .high, reportTypeWhenMissing: .selfReport))
        for (days, expected) in [
            (-14, .standard), (-13, .none), (0, .high), (14, .standard), (15, .high), (-15, .high),
            (.min, .high),
            (nil, .high),
        ] as [(Int32?, Infectiousness)] {
            #expect(mapping.infectiousness(daysSinceOnset: days) == expected)
        }
        for (value, expected) in [
            (1, .confirmedTest), (5, .revoked), (0, .selfReport), (6, .selfReport), (nil, .selfReport),
        ]
            as [(Int32?, ExposureReportType)]
        { #expect(mapping.reportType(value) == expected) }
        #expect(
            DiagnosisKeyMapping(
                byDay: Array(byDay.dropLast()), infectiousnessWhenMissing: .high,
                reportTypeWhenMissing: .selfReport) == nil)
    }

    @Test func `the older score is a product of four table entries, or zero below its minimum`() throws {
        let tables = try #require(
            ExposureRiskScore(
                attenuation: [0, 1, 2, 3, 4, 5, 6, 7], daysSinceExposure: [1, 1, 1, 1, 1, 1, 2, 3],
                duration: [0, 1, 2, 3, 4, 5, 6, 7], transmissionRisk: [1, 2, 3, 4, 5, 6, 7, 8], minimum: 30))
        // 73 dB: 1; today: 3; 30 minutes: 6; risk 2: 2.
        #expect(tables.score(attenuationDB: 73, daysAgo: 0, minutes: 30, transmissionRisk: 2) == 36)
        // 74 dB: 0.
        #expect(tables.score(attenuationDB: 74, daysAgo: 0, minutes: 30, transmissionRisk: 2) == 0)
        // 10 dB: 7; two days: 2; 31 minutes: 7; no risk: 1.
        #expect(tables.score(attenuationDB: 10, daysAgo: 2, minutes: 31, transmissionRisk: 0) == 98)
        // 11 dB: 6; one day: 3; 5 minutes: 1; risk 1: 1. 18 is less than 30.
        #expect(tables.score(attenuationDB: 11, daysAgo: 1, minutes: 5, transmissionRisk: 1) == 0)
        #expect(
            ExposureRiskScore(
                attenuation: [0], daysSinceExposure: [], duration: [], transmissionRisk: [], minimum: 0)
                == nil)
    }
}
