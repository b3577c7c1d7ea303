import EncounterLog
import FixedMemory
import Foundation
import GRDB
import LogContents

extension Archive {
    /// Calls `body` with each contact between boards that the filter admits, in order of time; those without
    /// wall time are last. Only one is in memory at a time.
    ///
    /// - Parameter body: says whether the next one is wanted.
    public func forEachContact(
        matching filter: ContactFilter = .init(), _ body: (BoardContact) -> Bool
    ) throws(ArchiveError) {
        try reading { database in
            let boards = try identitiesOfBoards(in: database)
            let query = ContactQuery(filter, boards: rows(of: filter.boards, among: boards))
            let rows = try Row.fetchCursor(database, sql: query.sql, arguments: query.arguments)
            while let row = try rows.next() {
                guard let first = boards[row[0]], let second = boards[row[1]] else { continue }
                guard body(BoardContact(row: row, first: first, second: second)) else { return }
            }
        }
    }

    /// The number of all contacts.
    public func contactCount() throws(ArchiveError) -> Int {
        try reading { try Int.fetchOne($0, sql: "SELECT count(*) FROM contact") ?? 0 }
    }

    /// The contacts that the filter admits, in order of time.
    public func contacts(matching filter: ContactFilter = .init()) throws(ArchiveError) -> [BoardContact] {
        var contacts: [BoardContact] = []
        try forEachContact(matching: filter) {
            contacts.append($0)
            return true
        }
        return contacts
    }
}

extension Archive {
    /// Calls `body` with each common visit of boards that the filter admits, in order of time.
    public func forEachCommonVisit(
        matching filter: ContactFilter = .init(), _ body: (CommonVisit) -> Bool
    ) throws(ArchiveError) {
        var finder = CommonVisitFinder(beacons: try beacons())
        // A visit has two contacts, of which neither need be long, nor of the chosen boards.
        var contacts = filter
        contacts.boards = nil
        contacts.minimumDuration = nil
        contacts.needsBothSides = false
        try forEachContact(matching: contacts) { contact in
            finder.next(contact).allSatisfy { filter.admits($0) ? body($0) : true }
        }
    }

    /// The boards that ran as beacons when they last said so.
    public func beacons() throws(ArchiveError) -> Set<LogIdentity> {
        Set(try roles().filter { $0.value == .beacon }.keys)
    }

    /// The role of each board that said one, when it last did.
    public func roles() throws(ArchiveError) -> [LogIdentity: LogRole] {
        try reading { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT logIdentity, (
                        SELECT role FROM boot WHERE boardID = board.id AND role IS NOT NULL
                        ORDER BY firstSegmentOrdinal DESC, firstByteOffset DESC LIMIT 1) AS role
                    FROM board
                    """)
            return rows.reduce(into: [:]) { roles, row in
                let role: UInt8? = row["role"]
                if let board = LogIdentity(blob: row["logIdentity"]) {
                    roles[board] = role.flatMap(LogRole.init(rawValue:))
                }
            }
        }
    }
}

extension ContactFilter {
    fileprivate func admits(_ visit: CommonVisit) -> Bool {
        if let since, visit.end < TimelinePoint(since) { return false }
        if let until, visit.start >= TimelinePoint(until) { return false }
        if let boards, boards.isDisjoint(with: [visit.first, visit.second, visit.beacon]) { return false }
        return visit.duration >= minimumDuration ?? .zero
    }
}
