import Archive
import Foundation
import GRDB

/// The strangers of an export with their numbers, in a temporary file.
final class StrangerTable {
    let count: Int
    private let scratch: ScratchDatabase

    init(_ scratch: ScratchDatabase) throws(ArchiveError) {
        self.scratch = scratch
        count = try scratch.run { try Int.fetchOne($0, sql: "SELECT count(*) FROM stranger") ?? 0 }
    }

    /// Nil for one who is not in the export.
    func number(of key: ParticipantKey) throws(ArchiveError) -> Int? {
        try scratch.run { database in
            try Int.fetchOne(
                database.cachedStatement(sql: "SELECT number FROM stranger WHERE subject = ?"),
                arguments: [Data(key.bytes)])
        }
    }

    /// The subject's bytes (``ParticipantKey/bytes``), and its id under pseudonyms.
    func stranger(_ number: Int) throws(ArchiveError) -> (subject: [UInt8], code: String?) {
        let row = try scratch.run { database in
            try Row.fetchOne(
                database.cachedStatement(sql: "SELECT subject, id FROM stranger WHERE number = ?"),
                arguments: [number])
        }
        guard let row else { preconditionFailure("no participant has the number \(number)") }
        return (Array(row[0] as Data), row[1])
    }

    /// Calls `body` with all strangers in order of their numbers.
    func forEach(
        _ body: (_ number: Int, _ subject: [UInt8], _ code: String?) -> Bool
    ) throws(ArchiveError) {
        try scratch.run { database in
            let rows = try Row.fetchCursor(
                database, sql: "SELECT number, subject, id FROM stranger ORDER BY number")
            while let row = try rows.next() {
                guard body(row[0], Array(row[1] as Data), row[2]) else { return }
            }
        }
    }
}
