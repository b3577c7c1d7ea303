import Cryptography
import FixedMemory
import Foundation
import GRDB
import LogContents

extension Archive {
    /// A SHA-256, in hexadecimal digits, that names the evidence of all trusted boards: the statements that
    /// they signed about their logs, and the length of each stored segment. Two archives of the same evidence
    /// have the same one, wherever they lie. It takes no time to speak of, because no stored byte of a log is
    /// read.
    public func evidenceDigest() throws(ArchiveError) -> String {
        try reading { database in
            var hash = SHA256()
            let boards = try identitiesOfBoards(in: database)
            for (row, board) in boards.sorted(by: { $0.value.hexadecimal < $1.value.hexadecimal }) {
                hash.update(Array("board \(board.hexadecimal)\n".utf8).span)
                for line in try statements(ofBoard: row, in: database) {
                    hash.update(Array("\(line)\n".utf8).span)
                }
                for line in try lengths(ofBoard: row, in: database) {
                    hash.update(Array("\(line)\n".utf8).span)
                }
            }
            return [UInt8](copying: hash.finish().span).hexadecimal
        }
    }

    private func statements(ofBoard board: Int64, in database: Database) throws -> [String] {
        try String.fetchAll(
            database,
            sql: """
                SELECT DISTINCT hex(statement) FROM manifest WHERE boardID = ? ORDER BY hex(statement)
                """, arguments: [board])
    }

    private func lengths(ofBoard board: Int64, in database: Database) throws -> [String] {
        try String.fetchAll(
            database,
            sql: """
                SELECT ordinal || ' ' || coalesce(sum(length(bytes)), 0)
                FROM segment LEFT JOIN chunk ON segmentID = segment.id WHERE boardID = ?
                GROUP BY segment.id ORDER BY ordinal, sum(length(bytes))
                """, arguments: [board])
    }
}
