import FixedMemory
import Foundation
import GRDB
import LogContents

/// One boot as the stored encounters need it.
struct StoredBoot {
    let id: Int64
    let clock: BootClock
    let moments: BootMoments
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
                SELECT boot.*, \(BootMoments.columns), facts
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
                ? try BootMoments(ofBoot: id, in: database) : BootMoments(row: row)
            return StoredBoot(
                id: id,
                clock: BootClock(
                    boot: UInt64(bitPattern: identifier), start: parameters?.start,
                    knownMoments: BootClock.knownMoments(recorded: moments.recorded, anchors),
                    anchors: anchors),
                moments: moments,
                encounterTimeout: parameters?.encounterTimeout ?? EncounterAssembly.defaultEncounterTimeout,
                lossWindow: parameters?.lossWindow ?? .zero,
                position: GeographicPosition(row: row), storedFacts: storedFacts)
        }
    }
}
