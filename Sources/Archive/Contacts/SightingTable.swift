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

    /// Looks anew for boards that served the identities of encounters. Their contacts are dissolved.
    func update(_ encounters: [Int64]) throws {
        let hasServedIdentities = try hasServedIdentities
        for start in stride(from: 0, to: encounters.count, by: Self.portion) {
            let portion = encounters[start..<min(start + Self.portion, encounters.count)]
            let list = "[" + portion.map(String.init).joined(separator: ",") + "]"
            try touchTimes(of: list)
            guard hasServedIdentities else { continue }
            try dissolveContacts(of: list)
            try database.cachedStatement(
                sql: "DELETE FROM sighting WHERE encounterID IN (SELECT value FROM json_each(?))"
            ).execute(arguments: [list])
            try insertSightings(of: list)
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
        let rows = try Row.fetchCursor(
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

    private func insertSightings(of list: String) throws {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: ["likeness", "writtenLikeness"].map { likeness in
                    """
                    SELECT \(SightingCandidate.columns), \(likeness == "likeness" ? 0 : 1)
                    FROM json_each(:list) JOIN encounter ON encounter.id = value
                        JOIN servedIdentity ON servedIdentity.\(likeness) = encounter.likeness
                            AND servedIdentity.boardID <> encounter.boardID
                    """
                }.joined(separator: " UNION ALL ")), arguments: ["list": list])
        for (_, candidates) in Dictionary(grouping: rows, by: { $0[0] as Int64 }) {
            try insert(candidates.map(SightingCandidate.init))
        }
    }

    /// - Parameter candidates: one encounter with each period of its identity.
    private func insert(_ candidates: [SightingCandidate]) throws {
        let byBoard = Dictionary(grouping: candidates, by: \.otherBoardID)
            .compactMapValues { $0.compactMap(\.agreement).min() }
        let servedCount = byBoard.values.count { $0 == .served }
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO sighting (encounterID, otherBoardID, boardID, clockBoot, reachMilliseconds,
                    certainty) VALUES (?, ?, ?, ?, ?, ?)
                """)
        for (board, agreement) in byBoard {
            guard let encounter = candidates.first else { continue }
            let certainty: ContactCertainty =
                switch agreement {
                case _ where encounter.isWritten: .written
                case .served: servedCount == 1 ? .served : .ambiguous
                default: agreement
                }
            try statement.execute(
                arguments: [
                    encounter.encounter, board, encounter.boardID, encounter.clockBoot,
                    (encounter.end + encounter.timeout).milliseconds, certainty.rawValue,
                ])
        }
    }
}
