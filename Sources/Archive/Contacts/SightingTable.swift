import FixedMemory
import Foundation
import GRDB

/// The rows of the table `sighting`: which encounters were with boards of the archive.
struct SightingTable {
    /// SQL for the pair of boards of a sighting.
    static let pair = "min(boardID, otherBoardID), max(boardID, otherBoardID)"
    static let pairOfSighting =
        "min(sighting.boardID, sighting.otherBoardID), max(sighting.boardID, sighting.otherBoardID)"

    private static let portion = 500

    let database: Database
    let touchedTimes: TouchedTimes

    /// The encounters of any board that are like these.
    func encounters(like likenesses: Set<Data>) throws -> [Int64] {
        let statement = try database.cachedStatement(sql: "SELECT id FROM encounter WHERE likeness = ?")
        return try likenesses.flatMap { try Int64.fetchAll(statement, arguments: [$0]) }
    }

    /// Looks anew for boards that served the identities of encounters. An encounter whose sightings change
    /// loses its contacts.
    ///
    /// - Parameter areNew: the encounters have just been stored, so their times have changed.
    func update(_ encounters: [Int64], areNew: Bool) throws {
        let hasServedIdentities = try hasServedIdentities
        for start in stride(from: 0, to: encounters.count, by: Self.portion) {
            let portion = encounters[start..<min(start + Self.portion, encounters.count)]
            let all = JSONList.text(portion)
            if areNew { try touchTimes(of: all) }
            guard hasServedIdentities else { continue }
            let (found, stored) = try (foundSightings(of: all), storedSightings(of: all))
            let changed = portion.filter { found[$0] != stored[$0] }
            guard !changed.isEmpty else { continue }
            let list = JSONList.text(changed)
            if !areNew { try touchTimes(of: list) }
            try dissolveContacts(of: list)
            try database.cachedStatement(
                sql: "DELETE FROM sighting WHERE encounterID IN (SELECT value FROM json_each(?))"
            ).execute(arguments: [list])
            for encounter in changed { try insert(found[encounter] ?? [], of: encounter) }
        }
    }

    /// Removes the contacts that encounters are part of. Their sightings stay, without a contact.
    ///
    /// - Parameter list: a JSON list of encounters.
    func dissolveContacts(of list: String) throws {
        try database.cachedStatement(
            sql: """
                DELETE FROM contact WHERE id IN (
                    SELECT contactID FROM sighting WHERE encounterID IN (SELECT value FROM json_each(?)))
                """
        ).execute(arguments: [list])
    }

    /// Notes the times of encounters that have changed, or are about to.
    ///
    /// - Parameter list: a JSON list of encounters.
    func touchTimes(of list: String) throws {
        let rows = try GRDB.Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT boardID, startMilliseconds, endMilliseconds
                    FROM json_each(?) JOIN encounter ON encounter.id = value WHERE boot IS NULL
                    """), arguments: [list])
        while let row = try rows.next() { touchedTimes.add(board: row[0], from: row[1], to: row[2]) }
    }

    private var hasServedIdentities: Bool {
        get throws {
            try Bool.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM servedIdentity) OR EXISTS (SELECT 1 FROM sighting)
                        """)) == true
        }
    }

    // MARK: Rows

    /// A row of the table without its encounter and contact.
    private struct Row: Hashable {
        let otherBoardID: Int64
        let boardID: Int64
        let clockBoot: Int64?
        let reachMilliseconds: Int64
        let certainty: Int
    }

    /// The sightings that the periods of all boards give.
    private func foundSightings(of list: String) throws -> [Int64: Set<Row>] {
        let rows = try GRDB.Row.fetchCursor(
            database.cachedStatement(
                sql: ["likeness", "writtenLikeness"].map { likeness in
                    """
                    SELECT \(SightingCandidate.columns), \(likeness == "likeness" ? 0 : 1)
                    FROM json_each(:list) JOIN encounter ON encounter.id = value
                        JOIN servedIdentity ON servedIdentity.\(likeness) = encounter.likeness
                            AND servedIdentity.boardID <> encounter.boardID
                    """
                }.joined(separator: " UNION ALL ")), arguments: ["list": list])
        // A board may have served the identity in very many periods, of which the best counts.
        var best: [Int64: [Int64: (candidate: SightingCandidate, agreement: ContactCertainty)]] = [:]
        while let row = try rows.next() {
            let candidate = SightingCandidate(row: row)
            guard let agreement = candidate.agreement else { continue }
            let known = best[candidate.encounter]?[candidate.otherBoardID]
            if known.map({ agreement < $0.agreement }) ?? true {
                best[candidate.encounter, default: [:]][candidate.otherBoardID] = (candidate, agreement)
            }
        }
        return best.mapValues { byBoard in
            let servedCount = byBoard.values.count { $0.agreement == .served }
            return Set(
                byBoard.values.map { candidate, agreement in
                    let certainty: ContactCertainty =
                        switch agreement {
                        case _ where candidate.isWritten: .written
                        case .served: servedCount == 1 ? .served : .ambiguous
                        default: agreement
                        }
                    return Row(
                        otherBoardID: candidate.otherBoardID, boardID: candidate.boardID,
                        clockBoot: candidate.clockBoot,
                        reachMilliseconds: (candidate.end + candidate.timeout).milliseconds,
                        certainty: certainty.rawValue)
                })
        }
    }

    private func storedSightings(of list: String) throws -> [Int64: Set<Row>] {
        let rows = try GRDB.Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT encounterID, otherBoardID, boardID, clockBoot, reachMilliseconds, certainty
                    FROM sighting WHERE encounterID IN (SELECT value FROM json_each(?))
                    """), arguments: [list])
        return rows.reduce(into: [:]) { stored, row in
            stored[row[0] as Int64, default: []].insert(
                Row(
                    otherBoardID: row[1], boardID: row[2], clockBoot: row[3], reachMilliseconds: row[4],
                    certainty: row[5]))
        }
    }

    private func insert(_ rows: Set<Row>, of encounter: Int64) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO sighting (encounterID, otherBoardID, boardID, clockBoot, reachMilliseconds,
                    certainty) VALUES (?, ?, ?, ?, ?, ?)
                """)
        for row in rows {
            try statement.execute(
                arguments: [
                    encounter, row.otherBoardID, row.boardID, row.clockBoot, row.reachMilliseconds,
                    row.certainty,
                ])
        }
    }
}
