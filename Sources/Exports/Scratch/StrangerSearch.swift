import Archive
import Foundation
import GRDB
import TextFormats

/// Finds the strangers of an export while its contacts are read, and then numbers them.
final class StrangerSearch {
    private let scratch: ScratchDatabase
    /// The number of boards, which have the numbers before those of strangers.
    private let boardCount: Int
    private var places = RecentValues<ParticipantKey, Int>()
    private var met = RecentValues<Int, Void>()

    init(boardCount: Int) throws(ArchiveError) {
        self.boardCount = boardCount
        scratch = try ScratchDatabase(
            """
            CREATE TABLE found (place INTEGER PRIMARY KEY, subject BLOB NOT NULL UNIQUE);
            CREATE TABLE met (rank INTEGER PRIMARY KEY, place INTEGER NOT NULL UNIQUE);
            CREATE TABLE stranger (number INTEGER PRIMARY KEY, subject BLOB NOT NULL, id TEXT);
            """)
    }

    /// A preliminary number of a stranger; it follows those of the boards.
    func preliminaryNumber(of key: ParticipantKey) throws(ArchiveError) -> Int {
        let place = try places.value(of: key) { () throws(ArchiveError) in
            let subject = Data(key.bytes)
            return try scratch.run { database in
                let known = try database.cachedStatement(sql: "SELECT place FROM found WHERE subject = ?")
                if let place = try Int.fetchOne(known, arguments: [subject]) { return place }
                try database.insert("INSERT INTO found (subject) VALUES (?)", [subject])
                return Int(database.lastInsertedRowID)
            }
        }
        return boardCount + place
    }

    /// Notes that a contact with the participant will be exported.
    func meet(_ preliminaryNumber: Int) throws(ArchiveError) {
        let place = preliminaryNumber - boardCount
        guard place > 0 else { return }
        try met.value(of: place) { () throws(ArchiveError) in
            try scratch.run { try $0.insert("INSERT OR IGNORE INTO met (place) VALUES (?)", [place]) }
        }
    }

    /// Numbers the strangers who were met in order of the first contact of each.
    func numbered() throws(ArchiveError) -> StrangerTable {
        try scratch.run { database in
            try database.execute(
                sql: """
                    INSERT INTO stranger
                    SELECT rank + ?, subject, NULL FROM \(Self.metStrangers) ORDER BY rank
                    """,
                arguments: [boardCount])
        }
        return try table()
    }

    /// Numbers the strangers who were met in order of their codes, which tells nothing.
    ///
    /// - Parameters:
    ///   - taken: the ids of the boards.
    ///   - code: the code of a subject's bytes.
    func numbered(taken: UniqueNames, code: ([UInt8]) -> String) throws(ArchiveError) -> StrangerTable {
        try scratch.run { database in
            try database.execute(
                sql: "CREATE TABLE coded (code TEXT NOT NULL, rank INTEGER NOT NULL, subject BLOB NOT NULL)")
            let strangers = try Row.fetchCursor(
                database, sql: "SELECT rank, subject FROM \(Self.metStrangers)")
            while let row = try strangers.next() {
                let (rank, subject): (Int, Data) = (row[0], row[1])
                try database.insert(
                    "INSERT INTO coded VALUES (?, ?, ?)", [code(Array(subject)), rank, subject])
            }
            let coded = try Row.fetchCursor(
                database, sql: "SELECT code, subject FROM coded ORDER BY code, rank")
            var ids = CodeIDs(taken)
            var number = boardCount
            while let row = try coded.next() {
                let (code, subject): (String, Data) = (row[0], row[1])
                number += 1
                try database.insert(
                    "INSERT INTO stranger VALUES (?, ?, ?)", [number, subject, ids.id(of: code)])
            }
        }
        return try table()
    }

    private static let metStrangers = "met JOIN found ON found.place = met.place"

    private func table() throws(ArchiveError) -> StrangerTable {
        try scratch.run { database in
            try database.execute(sql: "CREATE UNIQUE INDEX strangerBySubject ON stranger (subject)")
        }
        return try StrangerTable(scratch)
    }
}

/// Makes codes unique that come in order: of millions of participants, some have equal codes.
private struct CodeIDs {
    private let taken: UniqueNames
    private var last = ""
    private var ids: UniqueNames

    init(_ taken: UniqueNames) {
        self.taken = taken
        ids = taken
    }

    mutating func id(of code: String) -> String {
        if code != last {
            ids = taken
            last = code
        }
        return ids.name(like: code)
    }
}
