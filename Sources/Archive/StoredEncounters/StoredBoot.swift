import FixedMemory
import Foundation
import GRDB
import LogContents

/// One boot as the stored encounters need it.
struct StoredBoot {
    let id: Int64
    let clock: BootClock
    /// The first to the last moment of its records.
    let recordedMoments: ClosedRange<Instant>?
    let encounterTimeout: Interval
    /// The last part of a boot that a power cut may take.
    let lossWindow: Interval
    let position: GeographicPosition?
    /// The facts that its stored encounters rest on; nil if there are none.
    let storedFacts: Data?

    /// A digest of everything that the boot gives its encounters.
    func facts(on placement: BootPlacement) -> Data {
        var facts = FactDigest()
        placement.add(to: &facts)
        facts.add(Int64(clamping: encounterTimeout.milliseconds))
        facts.add(optional: position.map { Int64($0.latitudeMicrodegrees) })
        facts.add(optional: position.map { Int64($0.longitudeMicrodegrees) })
        return facts.data
    }
}

extension Archive {
    /// The boots of a board in log order.
    ///
    /// - Parameter changed: the boots with other records than before.
    func storedBoots(
        ofBoard board: Int64, changed: Set<Int64>, in database: Database
    ) throws -> [StoredBoot] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT boot.*, firstMilliseconds, lastMilliseconds, facts
                FROM boot LEFT JOIN placement ON bootID = boot.id WHERE boardID = ?
                ORDER BY firstSegmentOrdinal, firstByteOffset, bootIdentifier
                """, arguments: [board])
        return try rows.map { row in
            let id: Int64 = row["id"]
            let identifier: Int64 = row["bootIdentifier"]
            let storedFacts: Data? = row["facts"]
            let parameters = BootParameters(row: row)
            let anchors = try anchors(ofBoot: id, identifier: identifier, boardID: board, in: database)
            let moments =
                storedFacts == nil || changed.contains(id)
                ? try recordedMoments(ofBoot: id, in: database) : Self.moments(row)
            return StoredBoot(
                id: id,
                clock: BootClock(
                    boot: UInt64(bitPattern: identifier), start: parameters?.start,
                    knownMoments: BootClock.knownMoments(recorded: moments, anchors), anchors: anchors),
                recordedMoments: moments,
                encounterTimeout: parameters?.encounterTimeout ?? EncounterAssembly.defaultEncounterTimeout,
                lossWindow: parameters?.lossWindow ?? .zero,
                position: GeographicPosition(row: row), storedFacts: storedFacts)
        }
    }

    /// The first to the last moment of a boot's records.
    private func recordedMoments(ofBoot boot: Int64, in database: Database) throws -> ClosedRange<Instant>? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT min(first) AS firstMilliseconds, max(last) AS lastMilliseconds FROM (
                        SELECT startMilliseconds AS first, startMilliseconds AS last
                            FROM boot WHERE id = :boot
                        UNION ALL SELECT min(min(startMilliseconds, endMilliseconds)),
                            max(max(startMilliseconds, endMilliseconds)) FROM coverage WHERE bootID = :boot
                        UNION ALL \(Self.times(in: "radioIncident")) UNION ALL \(Self.times(in: "ownIdentity"))
                        UNION ALL \(Self.times(in: "peerMessage")) UNION ALL \(Self.times(in: "marker"))
                        UNION ALL \(Self.times(in: "battery"))
                        UNION ALL SELECT min(firstSightingMilliseconds), max(firstSightingMilliseconds)
                            FROM track WHERE bootID = :boot
                        UNION ALL SELECT min(lastReadingMilliseconds), max(lastReadingMilliseconds)
                            FROM track WHERE bootID = :boot
                        UNION ALL SELECT min(identification.monotonicMilliseconds),
                            max(identification.monotonicMilliseconds)
                            FROM track JOIN identification ON trackID = track.id WHERE bootID = :boot
                        UNION ALL SELECT min(startMilliseconds), max(endMilliseconds)
                            FROM track JOIN sample ON trackID = track.id WHERE bootID = :boot)
                    """), arguments: ["boot": boot])
        return row.flatMap(Self.moments)
    }

    private static func times(in table: String) -> String {
        "SELECT min(monotonicMilliseconds), max(monotonicMilliseconds) FROM \(table) WHERE bootID = :boot"
    }

    private static func moments(_ row: Row) -> ClosedRange<Instant>? {
        guard let first: Instant = row["firstMilliseconds"], let last: Instant = row["lastMilliseconds"]
        else { return nil }
        return first...max(first, last)
    }
}
