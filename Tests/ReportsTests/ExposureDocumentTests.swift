import ArchiveTestSupport
import Authority
import Cryptography
import EncounterLog
import Exposure
import FixedMemory
import Foundation
import Reports
import Schemes
import Testing

@testable import Archive

@Suite struct ExposureDocumentTests {
    private let morningSeconds = SampleWorld.morning.seconds

    private func encounter(_ identity: Identity, sampleCount: UInt64) -> Encounter {
        let start = TimelinePoint(SampleWorld.morning)
        return SampleWorld.encounter(
            with: identity, start...start + .minutes(10),
            samples: (0..<sampleCount).map { index in
                Sample(
                    start: start + .seconds(8 * index), end: start + .seconds(8 * (index + 1)),
                    readingCount: 20, minimumDBm: -80, maximumDBm: -60, meanDBm: -70)
            })
    }

    @Test func `The document of exposures has null for unknown values`() throws {
        let key = try TemporaryExposureKey(
            data: try #require(Bytes<16>([UInt8](1...16))),
            rollingStart: ExposureNotificationInterval(
                number: UInt32(SampleWorld.morning.days * 144)))
        var export = ExposureKeyExport()
        export.keys = [
            ExportedKey(
                data: [UInt8](copying: key.data.span), rollingStart: Int32(key.rollingStart.number),
                reportType: 1)
        ]
        // A power that no phone has.
        let metadata = AssociatedMetadata(
            majorVersion: 1, minorVersion: 0, calibrationConfidence: 0, txPowerDBm: 100)
        var maker = ExposureNotificationMaker(metadata: metadata, key: key, entropy: .system)
        let identity = try ExposureNotification.identity(at: morningSeconds, by: &maker).identity
        let payload =
            [UInt8](copying: identity.identifier.bytes.span) + [UInt8](copying: identity.metadata.bytes.span)
        let now = SampleWorld.morning + .days(1)
        let search = try ExposureSearch(
            [
                encounter(
                    Identity(scheme: SchemeCode(.exposureNotification), payload: payload), sampleCount: 75)
            ],
            for: PublishedKeys([export]), now: now, mapping: .standard)
        let document = ExposureDocument(
            search, days: [], by: .firstVersion, publishedKeyCount: 1, now: now,
            receiverCorrectionDB: 0)
        let json = try #require(String(data: try document.json(), encoding: .utf8))
        #expect(json.contains("\"txPower\" : null"))
        #expect(json.contains("\"start\" : \"2026-11-21T09:00:00.000Z\""))
        let lines = document.csv.split(separator: "\r\n")
        #expect(lines.count == 2)
        #expect(lines[0].split(separator: ",").count == ExposureDocument.columns.count)
        #expect(lines[1].hasSuffix(",1500,,,confirmedTest"))
    }

    @Test func `The document of matches has every key, and null for what is not known`() throws {
        var root = CovidTracerRootKey(Bytes())
        let key = try root.dailyKey(of: CalendarDate(daysSince1970: UInt32(morningSeconds / 86_400)))
        let identity = try CovidTracer.identity(at: morningSeconds, by: &root).identity
        let search = try IdentitySearch(
            [
                encounter(
                    Identity(
                        scheme: SchemeCode(.covidTracer), payload: [UInt8](copying: identity.bytes.span)),
                    sampleCount: 0)
            ], for: [PublishedIdentityKey(key, text: "key", kind: "positive")], of: CovidTracer.self,
            now: SampleWorld.morning + .days(1))
        let document = IdentityMatchDocument(search, now: SampleWorld.morning)
        let text = String(decoding: try document.json(), as: UTF8.self)
        #expect(text.contains("\"rssiMean\" : null"))
        #expect(text.contains("\"toleranceSeconds\" : 3600"))
        let lines = document.csv.split(separator: "\r\n")
        #expect(lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).count } == [16, 16])
    }
}
