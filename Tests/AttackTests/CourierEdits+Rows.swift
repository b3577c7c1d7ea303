import EncounterLog
import FixedMemory
import Foundation
import GRDB
import LogContents
import TestSupport

/// Edits of the rows of an archive.
extension CourierEdit {
    static let foreign: [CourierEdit] = [
        .init("a segment that a forger made with another board key") { file in
            let middle = try file.middle()
            let forged = file.world.forger.fetches[1].segments.first { $0.ordinal == middle }
            try file.store(forged?.bytes ?? [], middle)
        },
        .init("the whole log, by a forger") { file in
            for segment in file.world.forger.fetches[1].segments {
                try file.store(segment.bytes, segment.ordinal)
            }
        },
        .init("a forger's segment behind the end") { file in
            let next = try file.last() + 1
            let bytes = file.world.forger.fetches[1].segments[1].bytes
            try file.store(bytes, next)
        },
        .init("a segment of another board") { file in
            let middle = try file.middle()
            try file.store(file.bytes(middle, CourierFile.other), middle)
        },
        .init("the whole log with key and manifest, by a forger") { file in
            let forger = file.world.forger
            for segment in forger.fetches[1].segments { try file.store(segment.bytes, segment.ordinal) }
            try file.run("DELETE FROM manifest WHERE boardID = 1")
            try file.insert(
                forger.fetches[1].manifest.statement, forger.fetches[1].manifest.signature, forger.publicKey)
            try file.run(
                "UPDATE boardKey SET publicKey = ? WHERE boardID = 1", [Data(copying: forger.publicKey.span)])
        },
        .init("a second key of the board, vouched for, with a forged end") { file in
            let forger = file.world.forger
            try file.run(
                "INSERT INTO boardKey (boardID, publicKey, isVouched) VALUES (1, ?, 1)",
                [Data(copying: forger.publicKey.span)])
            try file.insert(
                forger.fetches[1].manifest.statement, forger.fetches[1].manifest.signature, forger.publicKey)
        },
        .init("a whole board added, with its own key, under a familiar name") { try $0.addBoard() },
    ]

    static let rows: [CourierEdit] = [
        .init("two segment rows exchanged") { file in
            let middle = try file.middle()
            let (one, two) = try (file.bytes(middle), file.bytes(middle - 1))
            try file.store(two, middle)
            try file.store(one, middle - 1)
        },
        .init("two boards exchanged") { file in
            try file.run(
                """
                UPDATE board SET logIdentity = zeroblob(16) WHERE id = 1;
                UPDATE board SET logIdentity = ? WHERE id = 2;
                UPDATE board SET logIdentity = ? WHERE id = 1;
                """, [Data(file.world.sealed.identity.bytes), Data(file.world.other.identity.bytes)])
        },
        .init("another size of blocks") { try $0.run("UPDATE board SET blockByteCount = 512 WHERE id = 1") },
        .init("another size of units") { try $0.run("UPDATE board SET unitByteCount = 24 WHERE id = 1") },
        .init("a branch with a forger's segments, served last") { file in
            let middle = try file.middle()
            try file.run("INSERT INTO branch VALUES (1, 1, 0, ?, 1795262400000)", [middle])
            try file.run("UPDATE board SET currentBranch = 1 WHERE id = 1")
            for segment in file.world.forger.fetches[1].segments where segment.ordinal >= middle {
                try file.run(
                    "INSERT INTO segment (boardID, ordinal, branch) VALUES (1, ?, 1)", [segment.ordinal])
                try file.run(
                    "INSERT INTO chunk VALUES (?, 0, ?)",
                    [file.database.lastInsertedRowID, Data(segment.bytes)])
            }
        },
        .init("the board's key removed") { try $0.run("DELETE FROM boardKey WHERE boardID = 1") },
        .init("a key of a scheme added") { file in
            try file.run(
                "INSERT INTO ownKey VALUES (1, 1, 20778, 56, ?, 2, 700, NULL)",
                [Data(repeating: 0x66, count: 32)])
        },
        .init("a key of a scheme replaced") { file in
            try file.run(
                "UPDATE ownKey SET key = ? WHERE boardID = 1 AND bootIdentifier = 2",
                [Data(repeating: 0x67, count: 32)])
        },
        .init("a page in clear redacted, with other contacts as its rest") { file in
            try file.redact(CourierFile.clear)
        },
        .init("a sealed page redacted, with other contacts as its rest") { file in
            try file.redact(CourierFile.sealed)
        },
        .init("clock samples of the host moved by a week") { file in
            try file.run(
                "UPDATE clockReading SET wallClockMilliseconds = wallClockMilliseconds - 604800000")
        },
        .init("forty clock samples added") { file in
            for number in 0..<40 {
                try file.run("INSERT INTO clockReading VALUES (1, 2, ?, 1790000000000, 1, x'01')", [number])
            }
        },
    ]

    static let manifests: [CourierEdit] = [
        .init("every manifest removed") { try $0.run("DELETE FROM manifest") },
        .init("the newest manifest removed") { file in
            try file.run(
                "DELETE FROM manifest WHERE statement = ?",
                [Data(file.world.sealed.fetches[1].manifest.statement)])
        },
        .init("the newest manifest replaced by the older one") { file in
            try file.run(
                """
                DELETE FROM manifest WHERE statement = ?;
                UPDATE manifest SET receivedWallClockMilliseconds = 1795999999999 WHERE boardID = 1;
                """, [Data(file.world.sealed.fetches[1].manifest.statement)])
        },
        .init("a manifest with another signature") { file in
            try file.run(
                "UPDATE manifest SET signature = zeroblob(64) WHERE statement = ?",
                [Data(file.world.sealed.fetches[1].manifest.statement)])
        },
        .init("a manifest that states another end") { file in
            var statement = file.world.sealed.fetches[1].manifest.statement
            statement[45] ^= 1
            try file.run(
                "UPDATE manifest SET statement = ? WHERE statement = ?",
                [Data(statement), Data(file.world.sealed.fetches[1].manifest.statement)])
        },
        .init("a manifest signed by another key") { file in
            let forger = file.world.forger
            try file.insert(
                forger.fetches[1].manifest.statement, forger.fetches[1].manifest.signature, forger.publicKey)
        },
        .init("a manifest of another board") { file in
            let other = file.world.other
            try file.insert(
                other.fetches[1].manifest.statement, other.fetches[1].manifest.signature,
                file.world.sealed.publicKey)
        },
    ]

    static let derived: [CourierEdit] = [
        .init("an encounter in the derived tables") { file in
            try file.run(
                """
                INSERT INTO track (bootID, number, firstSightingMilliseconds, address, addressType)
                    SELECT id, 900, 1000, x'010203040506', 1 FROM boot LIMIT 1;
                INSERT INTO identification SELECT max(id), 1300, 1, zeroblob(21), 0, 0 FROM track;
                """)
        },
        .init("other identities in the derived tables") { file in
            try file.run("UPDATE identification SET payload = x'6666' WHERE trackID = 1")
        },
        .init("stronger samples in the derived tables") { try $0.run("UPDATE sample SET maximumDBm = -20") },
        .init("another clock in the derived tables") { file in
            try file.run("UPDATE anchor SET wallClockMilliseconds = wallClockMilliseconds + 86400000")
        },
        .init("a better standing in the derived tables") { file in
            let end = try file.last()
            try file.append(to: end) { CourierFile.clearPage(at: end, $0, after: $1?.chainValue) }
            try file.run("UPDATE page SET standing = 1; UPDATE judgement SET manifestCount = 9")
        },
    ]
}

extension CourierFile {
    func insert(
        _ statement: [UInt8], _ signature: Bytes<64>, _ key: Bytes<65>, board: Int = sealed
    ) throws {
        try run(
            "INSERT INTO manifest VALUES (?, 1795999999999, ?, ?, ?)",
            [board, Data(statement), Data(copying: signature.span), Data(copying: key.span)])
    }

    /// Adds a board of the courier's own, whose log is whole and signed, as if the operator had trusted it.
    func addBoard() throws {
        let added = world.stranger
        try run("UPDATE board SET name = 'Foyer' WHERE id = 1")
        try run(
            "INSERT INTO board (id, logIdentity, name, blockByteCount, unitByteCount) VALUES (4, ?, 'Foyer', ?, ?)",
            [
                Data(added.identity.bytes), CourierBoard.geometry.blockByteCount,
                CourierBoard.geometry.unitByteCount,
            ])
        try run(
            "INSERT INTO boardKey (boardID, publicKey, isVouched) VALUES (4, ?, 1)",
            [Data(copying: added.publicKey.span)])
        for fetch in added.fetches {
            try insert(fetch.manifest.statement, fetch.manifest.signature, added.publicKey, board: 4)
        }
        for segment in added.fetches[1].segments { try store(segment.bytes, segment.ordinal, 4) }
    }

    /// Says that the operator has redacted a page, and puts another contact into it.
    func redact(_ board: Int) throws {
        let ordinal = try middle(board)
        let page = try contents(ordinal, board).pages[2]
        guard let head = page.head else { return }
        try run("INSERT INTO redaction (boardID, wallClockMilliseconds) VALUES (?, 1795262400000)", [board])
        let redaction = database.lastInsertedRowID
        try run(
            """
            INSERT INTO redactedPage
            SELECT id, ?, ?, ?, ?, x'', zeroblob(32) FROM segment WHERE boardID = ? AND ordinal = ?
            """,
            [
                page.byteOffset, redaction, Data(copying: head.chainValue.span),
                Data(CourierBoard.contact(900, identity: 0xee).flatMap(\.encoded)), board, ordinal,
            ])
    }
}

extension Data {
    init(copying span: Span<UInt8>) { self.init([UInt8](copying: span)) }
}
