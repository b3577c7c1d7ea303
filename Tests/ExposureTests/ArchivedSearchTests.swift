import ArchiveTestSupport
import Authority
import Cryptography
import EncounterLog
import FixedMemory
import Foundation
import GRDB
import Schemes
import TestSupport
import Testing

@testable import Archive
@testable import Exposure

/// A search of stored encounters, which reads only those that may match.
@Suite struct ArchivedSearchTests {
    private static let day = SampleWorld.morning.days
    private static let now = SampleWorld.morning + .days(1)

    /// `keyCount`: with few keys there are fewer published identifiers than encounters, with many more.
    @Test(arguments: [(1, 1), (2, 1), (3, 1), (4, 40), (5, 40)])
    func `it finds and counts the same as a search of all encounters in memory`(
        seed: UInt64, keyCount: Int
    ) throws {
        var random = SeededGenerator(seed: seed)
        let keys = try (0..<keyCount).map { number in
            try TemporaryExposureKey(
                data: try #require(Bytes<16>(random.bytes(16))),
                rollingStart: ExposureNotificationInterval(
                    number: UInt32((Self.day - UInt64(number % 16)) * 144)))
        }
        let archive = try Archive(inMemoryNamed: "matches")
        try archive.transaction { try Self.fill($0, keys, &random) }
        try archive.makeMissingEncounters()
        let published = PublishedKeys([Self.export(keys)])
        for excludesWritten in [false, true] {
            var filter = EncounterFilter()
            filter.excludesWritten = excludesWritten
            let all = try archive.encounters(matching: filter)
            let expected = try ExposureSearch(all, for: published, now: Self.now, mapping: .standard)
            let found = try ExposureSearch(
                archive, matching: filter, for: published, now: Self.now, mapping: .standard)
            #expect(found.counts == expected.counts, "seed \(seed)")
            #expect(found.exposures == expected.exposures, "seed \(seed)")
            #expect(found.windows == expected.windows, "seed \(seed)")
            #expect(expected.counts.undated > 0 && expected.counts.expired > 0)
            #expect(!expected.exposures.isEmpty)
        }
    }

    private static func export(_ keys: [TemporaryExposureKey]) -> ExposureKeyExport {
        var export = ExposureKeyExport()
        export.keys = keys.map {
            ExportedKey(
                data: [UInt8](copying: $0.data.span), rollingStart: Int32($0.rollingStart.number),
                reportType: 1)
        }
        return export
    }

    /// A board with a boot for each of sixteen days and one that had no clock. Half of the encounters are
    /// those of a published key, near the identifier's time or hours away.
    private static func fill(
        _ database: Database, _ keys: [TemporaryExposureKey], _ random: inout SeededGenerator
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO board (id, logIdentity, name, blockByteCount, unitByteCount)
                VALUES (1, ?, 'Foyer', 4096, 1)
                """, arguments: [Data(0..<16)])
        var track: Int64 = 0
        for boot in 0..<17 as Range<Int64> {
            try database.execute(
                sql: """
                    INSERT INTO boot (id, boardID, bootIdentifier, firstSegmentOrdinal, firstByteOffset,
                        startMilliseconds, softwareVersion, sampleMilliseconds, gapMilliseconds,
                        lossWindowMilliseconds, role)
                    VALUES (?, 1, ?, ?, 0, 0, '0.1.0', 8000, 30000, 30000, 0)
                    """, arguments: [boot + 1, boot + 1, boot])
            let midnight = Int64(day - 15) * 86_400 + boot * 86_400
            if boot < 16 {
                try database.execute(
                    sql: """
                        INSERT INTO anchor (bootID, monotonicMilliseconds, wallClockMilliseconds,
                            errorMilliseconds, source) VALUES (?, 0, ?, 40, 0)
                        """, arguments: [boot + 1, midnight * 1_000])
            }
            for _ in 0..<60 {
                track += 1
                let second = Int64.random(in: 0..<80_000, using: &random)
                var payload = random.bytes(20)
                if Bool.random(using: &random), let key = keys.randomElement(using: &random) {
                    let away = Int64([0, 3_000, 7_000, 20_000].randomElement(using: &random) ?? 0)
                    payload = try identity(of: key, atSecond: midnight + second - away) ?? payload
                }
                try add(track, boot: boot + 1, second: second, payload, to: database, &random)
            }
        }
    }

    private static func identity(of key: TemporaryExposureKey, atSecond second: Int64) throws -> [UInt8]? {
        let number = UInt32(second / 600)
        guard number >= key.rollingStart.number, number < key.rollingStart.number + 144 else { return nil }
        let metadata = AssociatedMetadata(
            majorVersion: 1, minorVersion: 0, calibrationConfidence: 0, txPowerDBm: -10)
        var maker = ExposureNotificationMaker(metadata: metadata, key: key, entropy: .system)
        let identity = try ExposureNotification.identity(at: UInt64(second), by: &maker).identity
        return [UInt8](copying: identity.identifier.bytes.span)
            + [UInt8](copying: identity.metadata.bytes.span)
    }

    private static func add(
        _ track: Int64, boot: Int64, second: Int64, _ payload: [UInt8], to database: Database,
        _ random: inout SeededGenerator
    ) throws {
        let start = second * 1_000
        try database.execute(
            sql: """
                INSERT INTO track (id, bootID, number, firstSightingMilliseconds, address, addressType,
                    lastReadingMilliseconds, readingCount) VALUES (?, ?, ?, ?, ?, 1, ?, 100)
                """,
            arguments: [track, boot, track, start, Data(random.bytes(6)), start + 40_000])
        let marks = Int.random(in: 0..<5, using: &random) == 0 ? IdentityMarks.written.rawValue : 0
        try database.execute(
            sql: """
                INSERT INTO identification (trackID, monotonicMilliseconds, scheme, payload, marks)
                VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [track, start, SchemeCode(.exposureNotification).rawValue, Data(payload), marks])
        for index in 0..<Int64.random(in: 0..<6, using: &random) {
            try database.execute(
                sql: """
                    INSERT INTO sample (trackID, startMilliseconds, endMilliseconds, readingCount, minimumDBm,
                        maximumDBm, meanTenthsDBm) VALUES (?, ?, ?, 20, -75, -65, -700)
                    """, arguments: [track, start + index * 8_000, start + (index + 1) * 8_000])
        }
    }
}
