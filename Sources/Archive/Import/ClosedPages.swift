import FixedMemory
import Foundation
import GRDB
import LogContents

/// Sealed pages that no key at hand has opened: their entries are there, and nobody can read them yet.
public struct ClosedPages: Sendable, Equatable {
    /// Of the opening key that they are sealed for.
    public let fingerprint: Bytes<16>
    public var pageCount: Int

    public init(fingerprint: Bytes<16>, pageCount: Int) {
        self.fingerprint = fingerprint
        self.pageCount = pageCount
    }
}

extension [ClosedPages] {
    public var pageCount: Int { reduce(0) { $0 + $1.pageCount } }

    mutating func add(_ count: Int, for fingerprint: Bytes<16>) {
        if let index = firstIndex(where: { $0.fingerprint == fingerprint }) {
            self[index].pageCount += count
        } else {
            append(ClosedPages(fingerprint: fingerprint, pageCount: count))
        }
    }
}

extension Archive {
    /// Pages of a board that are still closed, by key.
    public func closedPages(of board: LogIdentity) throws(ArchiveError) -> [ClosedPages] {
        try reading { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT sealedFor, count(*) AS pageCount
                    FROM page JOIN segment ON segment.id = segmentID
                    WHERE boardID = ? AND page.isClosed GROUP BY sealedFor ORDER BY min(ordinal)
                    """, arguments: [try boardID(board, in: database)])
            return rows.compactMap { row in
                let blob: Data? = row["sealedFor"]
                guard let fingerprint = blob.flatMap({ Bytes<16>($0) }) else { return nil }
                return ClosedPages(fingerprint: fingerprint, pageCount: row["pageCount"])
            }
        }
    }
}
