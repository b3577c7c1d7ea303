import Archive
import GRDB

@testable import Archive

/// The archive's content that depends on the board alone, as text. It excludes the division of bytes into
/// chunks, this computer's clock samples with everything placed in time by them, and the nonces that the
/// board signed.
struct ArchiveContents: Equatable {
    let lines: [String]

    init(_ archive: Archive) throws {
        lines = try archive.reading { database in
            let tables = try String.fetchAll(
                database,
                sql: """
                    SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'grdb%'
                        AND name NOT LIKE 'sqlite%'
                        AND name NOT IN ('board', 'chunk', 'clockReading', 'retention', 'manifest', 'judgement', 'placement',
                            'encounter', 'encounterPart', 'contact', 'presence')
                    ORDER BY name
                    """)
            var lines = try tables.flatMap { table in
                // The time at which the board presented a key depends on the host, so it is left out.
                let columns =
                    table == "boardKey"
                    ? "boardID, publicKey, ownerFingerprint, operatorFingerprint, isVouched" : "*"
                return try Row.fetchAll(database, sql: "SELECT \(columns) FROM \(table)").map {
                    "\(table) \($0)"
                }.sorted()
            }
            for segment in try Row.fetchAll(
                database, sql: "SELECT id, boardID, ordinal FROM segment ORDER BY id")
            {
                let bytes = try archive.bytes(ofSegment: segment["id"] as Int64, in: database)
                lines.append("bytes \(segment["boardID"] as Int64) \(segment["ordinal"] as Int64) \(bytes)")
            }
            return lines
        }
    }

    /// The lines that only one of both has, which say more in a failure than that both differ.
    func differences(from other: ArchiveContents) -> [String] {
        lines.difference(from: other.lines).map { change in
            switch change {
            case .insert(_, let line, _): "more: \(line)"
            case .remove(_, let line, _): "less: \(line)"
            }
        }
    }
}
