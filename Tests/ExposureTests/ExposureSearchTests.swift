import ArchiveTestSupport
import Authority
import Cryptography
import EncounterLog
import FixedMemory
import Foundation
import Schemes
import TestSupport
import Testing

@testable import Archive
@testable import Exposure

@Suite struct ExposureSearchTests {
    private static let minute = Interval.minutes(1)
    private static let now = SampleWorld.morning + .days(1)

    private let key: TemporaryExposureKey
    private let export: ExposureKeyExport

    init() throws {
        key = try TemporaryExposureKey(
            data: try #require(Bytes<16>([UInt8](1...16))),
            rollingStart: ExposureNotificationInterval(
                number: UInt32(SampleWorld.morning.days * 144)))
        export = Self.export(key, reportType: 1)
    }

    private static func export(
        _ key: TemporaryExposureKey, reportType: Int32, transmissionRisk: Int32? = nil,
        endSeconds: UInt64? = nil
    ) -> ExposureKeyExport {
        var export = ExposureKeyExport()
        export.endSeconds = endSeconds
        export.keys = [
            ExportedKey(
                data: [UInt8](copying: key.data.span), transmissionRisk: transmissionRisk,
                rollingStart: Int32(key.rollingStart.number), reportType: reportType)
        ]
        return export
    }

    /// Ten minutes near the key's phone, in samples of 8 s, beginning at the given minute after the morning's
    /// start. `late`: the age of the identifier, as in a replay.
    private func encounter(
        atMinute start: UInt64, meanDBm: Double = -70, txPowerDBm: Int8 = -10, late: Interval = .zero,
        isDated: Bool = true
    ) throws -> Encounter {
        let begin = SampleWorld.morning + start * Self.minute
        let metadata = AssociatedMetadata(
            majorVersion: 1, minorVersion: 0, calibrationConfidence: 0, txPowerDBm: txPowerDBm)
        var maker = ExposureNotificationMaker(metadata: metadata, key: key, entropy: .system)
        let identity = try ExposureNotification.identity(
            at: (begin - late).seconds, by: &maker
        ).identity
        let payload =
            [UInt8](copying: identity.identifier.bytes.span) + [UInt8](copying: identity.metadata.bytes.span)
        return SampleWorld.encounter(
            with: Identity(scheme: SchemeCode(.exposureNotification), payload: payload),
            on: isDated ? .wallClock(error: 40) : .sinceStart(boot: 1),
            TimelinePoint(begin)...TimelinePoint(begin) + .minutes(10),
            samples: (0..<75 as Range<UInt64>).map { index in
                Sample(
                    start: TimelinePoint(begin) + .seconds(8 * index),
                    end: TimelinePoint(begin) + .seconds(8 * (index + 1)),
                    readingCount: 20, minimumDBm: -80, maximumDBm: -60, meanDBm: meanDBm)
            })
    }

    private func search(
        _ encounters: [Encounter], _ exports: [ExposureKeyExport]? = nil, now: WallClockTime = now
    ) throws -> ExposureSearch {
        try ExposureSearch(
            encounters, for: PublishedKeys(exports ?? [export]), now: now,
            mapping: .standard)
    }

    @Test func `Half an hour of three identifiers makes three encounters, and one window with all its time`()
        throws
    {
        let encounters = [
            try encounter(atMinute: 0), try encounter(atMinute: 10), try encounter(atMinute: 20),
        ]
        let search = try search(encounters)
        #expect(search.exposures.map(\.encounter) == encounters)
        #expect(search.exposures.map(\.txPowerDBm) == [-10, -10, -10])
        #expect(search.windows.map(\.seconds) == [1_800])
        #expect(search.windows.map(\.attenuationDB) == [60])
        let days = ExposureDay.days(of: search.windows, by: .coronaWarnApp, now: Self.now)
        #expect(days.map { $0.score.rounded() } == [0.8 * 1_800])
        #expect(days.map(\.level) == [.high])
        #expect(days.map(\.daysSince1970) == [SampleWorld.morning.days])
    }

    @Test func `One app's model rates an exposure as high, and another's does not`() throws {
        let windows = try search(
            [
                try encounter(atMinute: 0, meanDBm: -68), try encounter(atMinute: 10, meanDBm: -68),
            ], [Self.export(key, reportType: 1, transmissionRisk: 6)]
        ).windows
        let day = { ExposureDay.days(of: windows, by: $0, now: Self.now).first }
        #expect(day(.coronaWarnApp)?.level == .high)
        #expect(day(.swissCovidPilot)?.level == DeployedExposureRisk.Level.none)
        // The factors are 2 for the attenuation, 5 for the day, 1 for 20 minutes, and 6 for the key.
        #expect(day(.firstVersion)?.score == 60)
        #expect(day(.firstVersion)?.level == nil)
    }

    @Test func `Corona-Warn-App rates ten days and today, the other models all kept days`() throws {
        let windows = try search([try encounter(atMinute: 0), try encounter(atMinute: 10)]).windows
        let eleventh = WallClockTime(days: SampleWorld.morning.days + 11)
        for (now, isJudged) in [(eleventh - .milliseconds(1), true), (eleventh, false)] {
            let days = { ExposureDay.days(of: windows, by: $0, now: now).count }
            #expect(days(.coronaWarnApp) == (isJudged ? 1 : 0))
            #expect(days(.swissCovidPilot) == 1)
            #expect(days(.firstVersion) == 1)
        }
    }

    @Test func `A key that an authority's table maps to no infectiousness has no risk`() throws {
        var export = ExposureKeyExport()
        export.keys = [
            ExportedKey(
                data: [UInt8](copying: key.data.span), rollingStart: Int32(key.rollingStart.number),
                reportType: 1, daysSinceOnset: -4)
        ]
        let encounters = [try encounter(atMinute: 0), try encounter(atMinute: 10)]
        for (table, expected, score) in [
            ("-14..-3 none\n-2..14 high\nmissing standard\nreport clinical", Infectiousness.none, 0.0),
            ("-14..14 high\nmissing none\nreport clinical", .high, 960),
        ] {
            let search = try ExposureSearch(
                encounters, for: PublishedKeys([export]), now: Self.now,
                mapping: DiagnosisKeyMapping(text: table))
            #expect(search.windows.map(\.window.infectiousness) == [expected])
            let days = ExposureDay.days(of: search.windows, by: .coronaWarnApp, now: Self.now)
            #expect(days.map { $0.score.rounded() } == [score])
        }
    }

    @Test func `An identifier replayed after more than two hours does not match; an earlier one does`() throws
    {
        let within = try encounter(atMinute: 240, late: 110 * Self.minute)
        #expect(try search([within]).exposures.count == 1)
        let after = try encounter(atMinute: 240, late: 140 * Self.minute)
        #expect(try search([after]).exposures.isEmpty)
    }

    @Test func `An encounter that continues past the tolerance counts by its beginning only`() throws {
        let split = try encounter(atMinute: 236, late: 120 * Self.minute)
        let exposure = try #require(try search([split]).exposures.first)
        #expect(exposure.samples.count == 30)
        let beginning = split.samples.prefix(exposure.samples.count)
        #expect(exposure.samples.map { TimelinePoint($0.start) } == beginning.map(\.start))
    }

    @Test func `An encounter of more than 14 days ago does not match`() throws {
        let heard = try encounter(atMinute: 0)
        let start = try #require(heard.wallClockStart)
        let last = start + .days(UInt64(ExposureSearch.retentionDays))
        #expect(try search([heard], now: last).windows.map(\.seconds) == [600])
        let some = try search([heard], now: last + 5 * Self.minute)
        #expect(some.exposures.map(\.samples.count) == [37])
        let none = try search([heard], now: last + 11 * Self.minute)
        #expect(none.exposures.isEmpty)
        #expect(none.counts.expired == 1)
    }

    @Test func `An encounter without a wall-clock time is counted and does not match`() throws {
        let search = try search([try encounter(atMinute: 0, isDated: false)])
        #expect(search.exposures.isEmpty)
        #expect(search.counts.undated == 1)
    }

    @Test func `encounters on a clock that nobody checked are searched and counted`() throws {
        var unchecked = try encounter(atMinute: 0)
        unchecked.summary.span.basis = .unchecked
        let counts = try search([unchecked, try encounter(atMinute: 10)]).counts
        #expect(counts.searched == 2)
        #expect(counts.unchecked == 1)
    }

    @Test func `An encounter whose identity the log has lost is counted and does not match`() throws {
        var lost = try encounter(atMinute: 0)
        lost.summary.identity = Identity(
            lost: IdentityHash(value: 1), scheme: SchemeCode(.exposureNotification))
        let search = try search([lost])
        #expect(search.exposures.isEmpty)
        #expect(search.counts.lost == 1)
    }

    @Test func `An identity of the wrong length is neither searched nor counted as lost`() throws {
        var other = try encounter(atMinute: 0)
        other.summary.identity?.payload.removeLast()
        let search = try search([other])
        #expect(search.exposures.isEmpty)
        #expect(search.counts == SearchCounts())
    }

    @Test func `A transmit power that no phone has gives an exposure without a window`() throws {
        let search = try search([try encounter(atMinute: 0, txPowerDBm: 100)])
        #expect(search.exposures.map(\.txPowerDBm) == [nil])
        #expect(search.windows.isEmpty)
    }

    @Test func `A revoked key still matches, and gives no day a risk`() throws {
        let revoked = Self.export(key, reportType: 5, endSeconds: 2)
        let search = try search([try encounter(atMinute: 0)], [revoked, Self.export(key, reportType: 1)])
        #expect(search.exposures.count == 1)
        #expect(search.windows.map(\.window.reportType) == [.revoked])
        #expect(
            ExposureDay.days(of: search.windows, by: .coronaWarnApp, now: Self.now).isEmpty)
    }

    @Test func `A key in several exports counts once, as revised`() throws {
        var revised = Self.export(key, reportType: 3, endSeconds: 1)
        revised.revisedKeys = Self.export(key, reportType: 1).keys
        revised.keys.append(ExportedKey(data: [UInt8](repeating: 9, count: 16)))  // it has no rolling start
        let published = PublishedKeys([revised, export])
        #expect(published.keys.map(\.reportType) == [1])
        #expect(published.refusals == [.init(export: 0, place: 2, defect: .noRollingStart)])
    }

    @Test(arguments: [1_000, 2_500, 8_000, 30_000] as [UInt64])
    func `The durations of a board's samples of any length add up`(milliseconds: UInt64) {
        let samples = (0..<600_000 / milliseconds).map { index in
            SampledScans.Sample(
                start: WallClockTime(milliseconds: index * milliseconds),
                end: WallClockTime(milliseconds: (index + 1) * milliseconds - 200),
                attenuationDB: 60)
        }
        let windows = ExposureWindow.windows(
            of: SampledScans.sightings(of: samples), infectiousness: .standard, reportType: .confirmedTest)
        let seconds = windows.flatMap(\.scans).reduce(0) { $0 + $1.secondsSinceLastScan }
        #expect((598...602).contains(seconds))
    }

    @Test func `After a silence a sample counts its own length, and an invalid end five minutes`() {
        let samples = [
            SampledScans.Sample(start: 0, end: 8_000, attenuationDB: 60),
            SampledScans.Sample(start: 60_000, end: 64_000, attenuationDB: 61),
            SampledScans.Sample(start: 200_000, end: WallClockTime(milliseconds: 1 << 52), attenuationDB: 62),
        ]
        #expect(SampledScans.sightings(of: samples).map(\.secondsSinceLastScan) == [8, 4, 300])
    }
}
