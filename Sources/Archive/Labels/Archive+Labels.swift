import EncounterLog
import FixedMemory
import Foundation
import GRDB
import LogContents

extension Archive {
    /// The stored labels, and those given for this run in their place (``givenLabels``).
    public func labels() throws(ArchiveError) -> Labels {
        var labels = try reading(storedLabels)
        labels.merge(givenLabels)
        return labels
    }

    /// Stores labels, each in place of the whole earlier one of its subject. An empty label removes it, but a
    /// board keeps its name.
    public func store(_ labels: [LabelSubject: Label]) throws(ArchiveError) {
        try transaction { database in
            for (subject, label) in labels {
                switch subject {
                case .board(let board): try store(label, of: board, in: database)
                case .identity(let identity): try store(label, of: identity, in: database)
                }
            }
        }
    }

    /// Deletes the labels of identities, and overwrites their bytes.
    public func forgetLabels(of identities: Set<Identity>) throws(ArchiveError) {
        guard !identities.isEmpty else { return }
        try overwriting { () throws(ArchiveError) in
            try transaction { database in
                for identity in identities { try store(Label(), of: identity, in: database) }
            }
        }
    }

    /// The identities that have a stored label and at least one encounter.
    public func labelledIdentitiesWithEncounters() throws(ArchiveError) -> Set<Identity> {
        let labelled = Set(try reading(storedLabels).identities)
        return labelled.isEmpty ? [] : labelled.intersection(try metIdentities())
    }

    /// Takes a board out of service, or back into it: its evidence stays as it is.
    ///
    /// - Parameter time: nil for a board that is in service.
    public func setRetirement(of board: LogIdentity, at time: WallClockTime?) throws(ArchiveError) {
        try transaction { database in
            try database.execute(
                sql: "UPDATE board SET retiredWallClockMilliseconds = ? WHERE id = ?",
                arguments: [time, try boardID(board, in: database)])
        }
    }

    /// Whether the operator has taken the board out of service.
    public func isRetired(_ board: LogIdentity) throws(ArchiveError) -> Bool {
        try reading { database in
            try Bool.fetchOne(
                database,
                sql: "SELECT retiredWallClockMilliseconds IS NOT NULL FROM board WHERE logIdentity = ?",
                arguments: [board.blob]) == true
        }
    }

    // MARK: Rows

    private func storedLabels(in database: Database) throws -> Labels {
        var labels = Labels()
        let boards = try Row.fetchAll(
            database,
            sql: """
                SELECT logIdentity, name, groupName, ageYears, sex, model FROM board
                WHERE claimedIdentity IS NULL
                """)
        for row in boards {
            guard let board = LogIdentity(blob: row["logIdentity"]) else { continue }
            labels[.board(board)] = Label(row: row)
        }
        guard !isEarlierFormat else { return labels }
        for row in try Row.fetchAll(database, sql: "SELECT * FROM person") {
            let name: Data = row["identity"]
            let identity = Identity(scheme: SchemeCode(rawValue: row["scheme"]), payload: [UInt8](name))
            labels[.identity(identity)] = Label(row: row)
        }
        return labels
    }

    private func store(_ label: Label, of board: LogIdentity, in database: Database) throws {
        try database.execute(
            sql: """
                UPDATE board SET name = coalesce(?, name), groupName = ?, ageYears = ?, sex = ?, model = ?
                WHERE id = ?
                """,
            arguments: [
                label.name, label.group, label.ageYears, label.sex, label.model,
                try boardID(board, in: database),
            ])
    }

    private func store(_ label: Label, of identity: Identity, in database: Database) throws {
        let key: StatementArguments = [identity.scheme.rawValue, Data(identity.name)]
        guard !label.isEmpty else {
            return try database.execute(
                sql: "DELETE FROM person WHERE scheme = ? AND identity = ?", arguments: key)
        }
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO person (scheme, identity, name, groupName, ageYears, sex, model)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """, arguments: key + [label.name, label.group, label.ageYears, label.sex, label.model])
    }
}

extension Label {
    fileprivate init(row: Row) {
        self.init(
            name: row["name"], group: row["groupName"], ageYears: row["ageYears"], sex: row["sex"],
            model: row["model"])
    }
}
