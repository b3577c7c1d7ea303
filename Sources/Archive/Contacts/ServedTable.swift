import EncounterLog
import FixedMemory
import Foundation
import GRDB
import LogContents

/// The rows of the table `servedIdentity` of one board.
struct ServedTable {
    let boardID: Int64
    let archive: Archive
    let database: Database

    /// Makes the periods of some boots anew.
    ///
    /// - Returns: the likenesses of encounters with identities whose periods have changed.
    func update(_ boots: [(boot: StoredBoot, placement: BootPlacement)]) throws -> Set<Data> {
        var changed: Set<Data> = []
        for (boot, placement) in boots {
            let periods = ServedPeriod.periods(
                of: try archive.ownIdentities(ofBoot: boot.id, in: database), until: boot.latestEnd,
                on: placement)
            let stored = try storedPeriods(ofBoot: boot.id)
            guard periods != stored else { continue }
            try database.cachedStatement(sql: "DELETE FROM servedIdentity WHERE bootID = ?")
                .execute(arguments: [boot.id])
            for (place, period) in periods.enumerated() { try insert(period, place: place, boot: boot.id) }
            for period in Set(periods).symmetricDifference(stored) {
                changed.formUnion([period.likenesses.read, period.likenesses.written])
            }
        }
        return changed
    }

    /// Removes all periods of the board.
    ///
    /// - Returns: the likenesses of encounters with its identities.
    func removeAll() throws -> Set<Data> {
        let rows = try Row.fetchAll(
            database, sql: "SELECT likeness, writtenLikeness FROM servedIdentity WHERE boardID = ?",
            arguments: [boardID])
        try database.execute(sql: "DELETE FROM servedIdentity WHERE boardID = ?", arguments: [boardID])
        return Set(rows.flatMap { [$0[0] as Data, $0[1] as Data] })
    }

    private func storedPeriods(ofBoot boot: Int64) throws -> [ServedPeriod] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT \(ServedPeriod.columns) FROM servedIdentity WHERE bootID = ? ORDER BY place"),
            arguments: [boot]
        ).map { ServedPeriod(row: $0) }
    }

    private func insert(_ period: ServedPeriod, place: Int, boot: Int64) throws {
        let likenesses = period.likenesses
        try database.cachedStatement(
            sql: """
                INSERT INTO servedIdentity (bootID, place, boardID, \(ServedPeriod.columns), likeness,
                    writtenLikeness) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                boot, place, boardID, period.boot.map { Int64(bitPattern: $0) }, period.start.milliseconds,
                period.end.milliseconds, period.error, period.identity.scheme.rawValue,
                Data(period.identity.payload), likenesses.read, likenesses.written,
            ])
    }
}

extension ServedPeriod {
    static let columns = "boot, startMilliseconds, endMilliseconds, errorMilliseconds, scheme, payload"

    /// - Parameter first: the place in the row of the first of ``columns``.
    init(row: Row, at first: Int = 0) {
        let boot: Int64? = row[first]
        let payload: Data = row[first + 5]
        self.init(
            identity: Identity(scheme: SchemeCode(rawValue: row[first + 4]), payload: [UInt8](payload)),
            boot: boot.map { UInt64(bitPattern: $0) }, start: TimelinePoint(milliseconds: row[first + 1]),
            end: TimelinePoint(milliseconds: row[first + 2]), error: row[first + 3])
    }
}

extension StoredBoot {
    /// When an identity that the boot served last may have ended: the log lacks what a power cut took.
    fileprivate var latestEnd: Instant {
        (moments.recorded?.upperBound ?? Instant(milliseconds: 0)) + lossWindow
    }
}
