import Archive
import EncounterLog
import FixedMemory
import Foundation
import LogContents
import TestSupport

/// Edits of the file's own programs and definitions, and a log that is begun anew.
extension CourierEdit {
    static let schema: [CourierEdit] = [
        .init("a trigger that changes samples when a clock sample is stored") { file in
            try file.run(sampleTrigger)
        },
        .init("a view") { try $0.run("CREATE VIEW ownView AS SELECT * FROM identification") },
        .init("a table of another program") { try $0.run("CREATE TABLE ownTable (payload BLOB)") },
        .init("an index that refuses a second clock sample from now on") { file in
            try file.run(
                "CREATE UNIQUE INDEX one ON clockReading (boardID) WHERE monotonicMilliseconds > 900000000")
        },
        .init("segments that count as compared with the board from the start") { file in
            try file.run(
                """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_master SET sql =
                    replace(sql, 'isVerified INTEGER NOT NULL DEFAULT FALSE', 'isVerified INTEGER DEFAULT TRUE')
                    WHERE name = 'segment';
                PRAGMA writable_schema = OFF;
                """)
        },
    ]

    /// Acts when the analyst stores something, after the derived tables were made anew.
    static let sampleTrigger = """
        CREATE TRIGGER refill AFTER INSERT ON clockReading BEGIN UPDATE sample SET maximumDBm = -1; END
        """

    static let restarted: [CourierEdit] = [
        .init("pages in clear before the oldest segment, joined by a page that the next one sets aside") {
            try $0.joinClearPages(hasBlankBlock: true)
        },
        .init("pages in clear before the oldest segment, joined by a page with a header") {
            try $0.joinClearPages(hasBlankBlock: false)
        },
    ]
}

extension CourierFile {
    /// Puts clear pages, chained among themselves, before the first segment that the board still had. A last
    /// one continues from the same value as that segment's first page, which so sets it aside.
    func joinClearPages(hasBlankBlock: Bool) throws {
        let first = try overwriteOldest()
        guard let place = try pages(first).first,
            let link = try contents(first).pages.first(where: { $0.byteOffset == place.byteOffset })?.link
        else { return }
        let page = Array(try bytes(first)[place.range])
        let header = Array(page[8..<86])
        let old = first - 3
        var segment = Self.clearPage(at: old, 0, after: Bytes(), number: 0, header: header)
        try store(segment, old)
        for number in 1...3 as ClosedRange<UInt32> {
            guard let chain = try contents(old).pages.last?.head?.chainValue else { return }
            while segment.count % CourierBoard.geometry.unitByteCount != 0 { segment.append(0xff) }
            segment += Self.clearPage(
                at: old, segment.count, after: chain, number: UInt16(number),
                CourierBoard.contact(900 + number, identity: 0xee))
            try store(segment, old)
        }
        var joint = Self.clearPage(
            at: first - 1, 0, after: link.chainValue, header: hasBlankBlock ? nil : header)
        joint += [UInt8](repeating: 0xff, count: (hasBlankBlock ? 2_048 : 1_024) - joint.count)
        try store(joint, first - 1)
    }

    /// The board, not the courier: it no longer has its oldest segments, and says so.
    ///
    /// - Returns: the oldest segment that it has.
    private func overwriteOldest() throws -> UInt32 {
        let first = try middle()
        try delete(0..<first)
        let board = world.sealed
        let fetch = board.fetches[1]
        let identity = board.identity.bytes
        guard let name = Bytes<16>(identity.span) else { return first }
        let manifest = try CourierBoard.manifest(
            fetch.head, 2, name, board.key, board.publicKey, oldest: first)
        try run("DELETE FROM manifest WHERE boardID = 1")
        try insert(manifest.statement, manifest.signature, board.publicKey)
        return first
    }
}
