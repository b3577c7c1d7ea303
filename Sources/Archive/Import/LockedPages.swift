import FixedMemory
import Foundation
import GRDB
import LogContents

/// Locked pages: encrypted pages whose entries cannot be read yet, because no key at hand decrypts them.
public struct LockedPages: Sendable, Equatable {
    /// The fingerprint of the owner key that they are encrypted for.
    public let fingerprint: Bytes<16>
    public var pageCount: Int

    public init(fingerprint: Bytes<16>, pageCount: Int) {
        self.fingerprint = fingerprint
        self.pageCount = pageCount
    }

    /// SQL for whether a page is locked. Each list says how many there are, so they have an index.
    static let condition = "isLocked"
}

extension [LockedPages] {
    public var pageCount: Int { reduce(0) { $0 + $1.pageCount } }

    mutating func add(_ count: Int, for fingerprint: Bytes<16>) {
        if let index = firstIndex(where: { $0.fingerprint == fingerprint }) {
            self[index].pageCount += count
        } else {
            append(LockedPages(fingerprint: fingerprint, pageCount: count))
        }
    }
}

extension Archive {
    /// The locked pages of a board, by owner key.
    public func lockedPages(of board: LogIdentity) throws(ArchiveError) -> [LockedPages] {
        try reading { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT sealedFor, count(*) AS pageCount
                    FROM page CROSS JOIN segment ON segment.id = segmentID
                    WHERE boardID = ? AND \(LockedPages.condition) GROUP BY sealedFor ORDER BY min(ordinal)
                    """, arguments: [try boardID(board, in: database)])
            return rows.compactMap { row in
                let blob: Data? = row["sealedFor"]
                guard let fingerprint = blob.flatMap({ Bytes<16>($0) }) else { return nil }
                return LockedPages(fingerprint: fingerprint, pageCount: row["pageCount"])
            }
        }
    }
}
