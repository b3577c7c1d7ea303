import GRDB
import LogContents

extension Archive {
    /// Calls `body` with each contact of boards on the wall clock, and with each of their encounters with
    /// strangers, in order of their start. Only one of each is in memory at a time.
    ///
    /// - Parameters:
    ///   - filter: applies to both; an encounter with a stranger never has two sides.
    ///   - withStrangers: false for contacts of boards alone.
    ///   - body: says whether the next one is wanted.
    public func forEachTimedContact(
        matching filter: ContactFilter, withStrangers: Bool, _ body: (TimedContact) -> Bool
    ) throws(ArchiveError) {
        try reading { database in
            let boards = try identitiesOfBoards(in: database)
            let chosen = rows(of: filter.boards, among: boards)
            let contacts = try TimedContacts(ContactQuery(filter, boards: chosen), boards, in: database)
            guard withStrangers, !filter.needsBothSides else {
                while let contact = try contacts.next() { guard body(contact) else { return } }
                return
            }
            let strangers = try TimedStrangers(filter, chosen: chosen, boards, in: database)
            var contact = try contacts.next()
            var stranger = try strangers.next()
            while true {
                if let next = contact, next.start <= stranger?.start ?? .distantFuture {
                    guard body(next) else { return }
                    contact = try contacts.next()
                } else if let next = stranger {
                    guard body(next) else { return }
                    stranger = try strangers.next()
                } else {
                    return
                }
            }
        }
    }

    /// The number of contacts of boards, and of encounters with strangers, that have no wall time. All of the
    /// filter but its times applies.
    public func undatedContactCount(
        matching filter: ContactFilter = ContactFilter(), withStrangers: Bool
    ) throws(ArchiveError) -> Int {
        var filter = filter
        (filter.since, filter.until) = (nil, nil)
        return try reading { database in
            let boards = try identitiesOfBoards(in: database)
            let chosen = rows(of: filter.boards, among: boards)
            let query = ContactQuery(filter, boards: chosen)
            let contacts = try Int.fetchOne(
                database, sql: "SELECT count(*) FROM (\(query.sql)) WHERE NOT isOnWallClock",
                arguments: query.arguments)
            guard withStrangers, !filter.needsBothSides else { return contacts ?? 0 }
            let strangers = try TimedStrangers(filter, chosen: chosen, boards, in: database, undated: true)
            return try (contacts ?? 0) + strangers.count()
        }
    }
}

/// The contacts of boards, one at a time.
private final class TimedContacts {
    private let rows: RowCursor
    private let boards: [Int64: LogIdentity]

    init(_ query: ContactQuery, _ boards: [Int64: LogIdentity], in database: Database) throws {
        rows = try Row.fetchCursor(database, sql: query.sql, arguments: query.arguments)
        self.boards = boards
    }

    func next() throws -> TimedContact? {
        while let row = try rows.next() {
            guard let first = boards[row[0]], let second = boards[row[1]] else { continue }
            let contact = BoardContact(row: row, first: first, second: second)
            if contact.timeline.isOnWallClock { return .boards(contact) }
        }
        return nil
    }
}

/// The encounters with strangers on the wall clock, or those without one, one at a time.
private final class TimedStrangers {
    private let rows: RowCursor
    private let boards: [Int64: LogIdentity]
    private let filter: EncounterFilter
    private let areUndated: Bool

    init(
        _ filter: ContactFilter, chosen: [Int64]?, _ boards: [Int64: LogIdentity], in database: Database,
        undated areUndated: Bool = false
    ) throws {
        var encounters = EncounterFilter()
        (encounters.since, encounters.until) = (filter.since, filter.until)
        encounters.minimumDuration = filter.minimumDuration
        encounters.excludesWritten = filter.excludesWritten
        self.filter = encounters
        self.boards = boards
        self.areUndated = areUndated
        var query = EncounterQuery(encounters, boards: chosen, withStrangersOnly: true)
        if areUndated { query.selectUndated() } else { query.sort() }
        rows = try Row.fetchCursor(database, sql: query.sql, arguments: query.arguments)
    }

    func next() throws -> TimedContact? {
        while let row = try rows.next() {
            guard let board = boards[row[0]] else { continue }
            let summary = EncounterSummary(row: row, board: board)
            if summary.isOnWallClock != areUndated, filter.admits(summary) { return .stranger(summary) }
        }
        return nil
    }

    /// Reads all that are left.
    func count() throws -> Int {
        var count = 0
        while try next() != nil { count += 1 }
        return count
    }
}
