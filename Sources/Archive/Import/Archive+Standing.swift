import Cryptography
import EncounterLog
import FixedMemory
import Foundation
import GRDB
import LogContents

/// The pages of a board's log that have to be judged, and what they are judged by.
struct StandingScope {
    /// The first segment that is judged again. Pages before it keep their standing.
    var firstOrdinal: UInt32
    var keyCount: Int
    var manifestCount: Int
    var branch: Int
}

/// The standings of pages, by segment row and by byte offset.
struct JudgedSegments {
    struct Page {
        var standing: PageStanding?
        /// Whether a signed chain value covers the page.
        var isCovered: Bool
    }

    private(set) var pages: [Int64: [Int: Page]] = [:]
    /// The segment with the newest signed end of the log.
    var signedOrdinal: UInt32?

    /// A page may belong to several branches. The branch that proves most counts.
    mutating func add(_ page: Page, segment: Int64, byteOffset: Int) {
        if let known = pages[segment]?[byteOffset], let standing = known.standing {
            guard let other = page.standing, other.rawValue < standing.rawValue else { return }
        }
        pages[segment, default: [:]][byteOffset] = page
    }
}

/// Judging pages: which of them a signature of the board covers.
extension Archive {
    /// The pages to judge; nil if nothing has changed since the pages were judged.
    func standingScope(
        of board: LogIdentity, boardID: Int64, keys: [OwnerKey], in database: Database
    ) throws -> StandingScope? {
        let keyCount = try vouchedKeys(of: board, in: database).count
        let branchCount = try branches(ofBoard: boardID, in: database).count
        var scope = StandingScope(
            firstOrdinal: 0, keyCount: keyCount,
            manifestCount: try Int.fetchOne(
                database, sql: "SELECT count(*) FROM manifest WHERE boardID = ?", arguments: [boardID]) ?? 0,
            branch: try Int.fetchOne(
                database, sql: "SELECT currentBranch FROM board WHERE id = ?", arguments: [boardID]) ?? 0)
        let touched = try firstTouchedOrdinal(ofBoard: boardID, keys: keys, in: database)
        let last = try Row.fetchOne(
            database, sql: "SELECT * FROM judgement WHERE boardID = ?", arguments: [boardID])
        guard let last else { return touched == nil && scope.manifestCount == 0 ? nil : scope }
        let isSame =
            last["keyCount"] == scope.keyCount && last["manifestCount"] == scope.manifestCount
            && last["branch"] == scope.branch
        if isSame, touched == nil { return nil }
        // A change of keys, and another branch, may concern any page.
        guard last["keyCount"] == scope.keyCount, scope.keyCount <= 1, branchCount == 0,
            let signed: UInt32 = last["signedOrdinal"]
        else { return scope }
        scope.firstOrdinal = try startOfOpenPart(
            ofBoard: boardID, before: min(touched ?? signed, signed), in: database)
        return scope
    }

    /// The first segment with pages that are not decoded yet, or that these keys decrypt.
    private func firstTouchedOrdinal(
        ofBoard board: Int64, keys: [OwnerKey], in database: Database
    ) throws -> UInt32? {
        let known = keys.map { "x'\([UInt8](copying: $0.fingerprint.span).hexadecimal)'" }
        return try UInt32.fetchOne(
            database,
            sql: """
                SELECT min(ordinal) FROM segment WHERE boardID = ? AND (
                    \(Self.storedByteCountOfSegment) >
                        (SELECT coalesce(max(byteOffset + byteCount), 0) FROM page
                            WHERE segmentID = segment.id)
                    OR EXISTS (SELECT 1 FROM page WHERE segmentID = segment.id AND isLocked
                        AND sealedFor IN (\(known.joined(separator: ", ")))))
                """, arguments: [board])
    }

    /// The segment before the first one whose pages may still get another standing. The segment before it
    /// shows which epoch the log was in.
    private func startOfOpenPart(
        ofBoard board: Int64, before ordinal: UInt32, in database: Database
    ) throws -> UInt32 {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT ordinal, EXISTS (SELECT 1 FROM page WHERE segmentID = segment.id
                    AND standing IN (?, ?)) AS isOpen
                FROM segment WHERE boardID = ? AND ordinal < ? ORDER BY ordinal DESC
                """,
            arguments: [
                PageStanding.beyondSignature.rawValue, PageStanding.unsigned.rawValue, board, ordinal,
            ])
        var start = ordinal
        while let row = try rows.next() {
            start = row["ordinal"]
            let isOpen: Bool = row["isOpen"]
            if !isOpen { break }
        }
        return start
    }

    func judged(
        _ board: LogIdentity, boardID: Int64, _ scope: StandingScope, keys: [OwnerKey], in database: Database
    ) throws -> JudgedSegments {
        let boardKeys = try vouchedKeys(of: board, in: database)
        let heads = try manifests(of: board, in: database).compactMap { ManifestHead($0, board: board) }
            .sorted { $0.head.position < $1.head.position }
        var judged = JudgedSegments()
        let branches = try [LogBranch.main] + branches(ofBoard: boardID, in: database).map(\.number)
        for branch in branches {
            let line = try line(ofBoard: boardID, branch, in: database)
            let segments = try segmentRows(of: line, ofBoard: boardID, from: scope.firstOrdinal, in: database)
            var verifier = LogVerifier(
                board: board, boardKeys: boardKeys.compactMap { P256PublicKey(bytes: $0.keyring.publicKey) })
            var rows: [UInt32: Int64] = [:]
            for segment in segments { rows[segment.ordinal] = segment.id }
            try add(segments, to: &verifier, keys: keys, in: database)
            verifier.manifests = verifier.signed(heads, by: boardKeys)
            let (places, result) = verifier.standings()
            for (index, place) in places.enumerated() {
                guard let row = rows[place.segmentOrdinal] else { continue }
                judged.add(
                    JudgedSegments.Page(
                        standing: result.standings[index], isCovered: result.isCovered[index]),
                    segment: row, byteOffset: Int(place.byteOffset))
            }
            if let signed = result.signedThrough?.segmentOrdinal {
                judged.signedOrdinal = max(judged.signedOrdinal ?? signed, signed)
            }
        }
        return judged
    }

    /// The rows of a line's segments from one on, oldest first.
    func segmentRows(
        of line: LogLine, ofBoard board: Int64, from first: UInt32, in database: Database
    ) throws -> [(id: Int64, ordinal: UInt32)] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT id, ordinal FROM segment
                WHERE boardID = ? AND ordinal >= ? AND \(line.condition) ORDER BY ordinal
                """, arguments: [board, first]
        ).map { ($0["id"], $0["ordinal"]) }
    }

    /// Adds the contents of a line's segments up to its last one.
    func add(
        _ segments: [(id: Int64, ordinal: UInt32)], to verifier: inout LogVerifier, keys: [OwnerKey] = [],
        in database: Database
    ) throws {
        for (index, segment) in segments.enumerated() {
            verifier.add(
                try contents(ofSegment: segment.id, keys: keys, in: database),
                isLast: index == segments.count - 1)
        }
    }

    func record(
        _ scope: StandingScope, _ judged: JudgedSegments, ofBoard board: Int64, in database: Database
    ) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO judgement (boardID, keyCount, manifestCount, branch, signedOrdinal)
                VALUES (?, ?, ?, ?, coalesce(?,
                    (SELECT signedOrdinal FROM judgement WHERE boardID = ?)))
                """,
            arguments: [
                board, scope.keyCount, scope.manifestCount, scope.branch, judged.signedOrdinal, board,
            ])
    }
}

extension LogVerifier {
    /// The manifests among these whose ends are in the log and whose signatures are valid. In an unbroken
    /// chain the newest one suffices.
    fileprivate func signed(_ heads: [ManifestHead], by keys: [StoredBoardKey]) -> [SignedHead] {
        guard !keys.isEmpty else { return [] }
        let stored = headsByPosition()
        let isUnbroken = isUnbroken && keys.count == 1
        var signed: [SignedHead] = []
        for head in heads.reversed() where stored[Place(head.head.position)] == head.head {
            let checked = head.checked(by: keys)
            guard checked.isSigned else { continue }
            signed.append(checked)
            if isUnbroken { break }
        }
        return signed.reversed()
    }
}
