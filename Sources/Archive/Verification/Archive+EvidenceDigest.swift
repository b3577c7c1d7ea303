import Foundation
import GRDB
import LogContents

extension Archive {
    /// Names the evidence of all trusted boards and all labels, also those of this run alone, in 32
    /// hexadecimal digits: the first half of SHA-256 over the boards, the length of each segment, the
    /// signed statements, the clock samples and the labels. Two archives of the same evidence have the same
    /// one, wherever they lie.
    ///
    /// No stored byte of a log is read, because the statements cover them.
    public func evidenceDigest() throws(ArchiveError) -> String {
        let labels = try labels()
        return try reading { database in
            var sum = FactDigest()
            let boards = try Data.fetchAll(
                database,
                sql: "SELECT logIdentity FROM board WHERE claimedIdentity IS NULL ORDER BY logIdentity")
            for identity in boards {
                sum.add(identity)
                if let board = LogIdentity(blob: identity) { sum.add(labels[board]) }
                for sql in Self.evidenceOfBoard {
                    let rows = try Row.fetchCursor(database, sql: sql, arguments: [identity])
                    while let row = try rows.next() { sum.add(row) }
                }
            }
            for identity in labels.identities {
                sum.add(Int64(identity.scheme.rawValue))
                sum.add(identity.distinguishingBytes)
                sum.add(labels[identity])
            }
            return [UInt8](sum.data).hexadecimal
        }
    }

    private static let evidenceOfBoard = [
        """
        SELECT ordinal, branch, changedByteCount, (SELECT sum(length(bytes)) FROM chunk WHERE segmentID = id)
        FROM segment WHERE boardID = (SELECT id FROM board WHERE logIdentity = ?)
        ORDER BY ordinal, branch
        """,
        """
        SELECT statement, signature FROM manifest
        WHERE boardID = (SELECT id FROM board WHERE logIdentity = ?) ORDER BY statement, signature
        """,
        """
        SELECT bootIdentifier, monotonicMilliseconds, wallClockMilliseconds, errorMilliseconds
        FROM clockReading WHERE boardID = (SELECT id FROM board WHERE logIdentity = ?)
        ORDER BY bootIdentifier, monotonicMilliseconds
        """,
        """
        SELECT wallClockMilliseconds, schemes FROM redaction
        WHERE boardID = (SELECT id FROM board WHERE logIdentity = ?) ORDER BY id
        """,
    ]
}

extension FactDigest {
    fileprivate mutating func add(_ label: Label) {
        for text in [label.name, label.group, label.sex, label.model] {
            add(Int64(text == nil ? 0 : 1))
            add(Array((text ?? "").utf8))
        }
        add(optional: label.ageYears.map(Int64.init))
    }

    fileprivate mutating func add(_ row: Row) {
        for (_, value) in row {
            switch value.storage {
            case .null: add(optional: nil)
            case .int64(let number): add(optional: number)
            case .double(let number): add(number)
            case .string(let text): add(Array(text.utf8))
            case .blob(let data): add([UInt8](data))
            }
        }
    }
}
