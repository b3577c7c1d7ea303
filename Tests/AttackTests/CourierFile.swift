import Cryptography
import EncounterLog
import FixedMemory
import Foundation
import GRDB
import LogContents
import TestSupport

/// An owner key with its private half.
struct OwnerScalar {
    let bytes: Bytes<32>
    let publicKey: P256PublicKey

    init() throws {
        let key = try P256PrivateKey(entropy: .system)
        bytes = try key.scalarBytes()
        publicKey = key.publicKey
    }
}

enum CourierError: Error { case tooShort([UInt32]) }

/// A copy of the archive in the courier's hands.
struct CourierFile {
    let database: Database
    let world: CourierWorld

    /// The rows of the boards in the archive.
    static let sealed = 1
    static let other = 2
    static let clear = 3

    func run(_ sql: String, _ arguments: StatementArguments = []) throws {
        try database.execute(sql: sql, arguments: arguments)
    }

    // MARK: Segments

    func ordinals(_ board: Int = sealed) throws -> [UInt32] {
        try UInt32.fetchAll(
            database, sql: "SELECT ordinal FROM segment WHERE boardID = ? ORDER BY ordinal",
            arguments: [board])
    }

    /// A segment in the middle, whose pages are all of the second boot.
    func middle(_ board: Int = sealed) throws -> UInt32 {
        let all = try ordinals(board)
        guard all.count > 6 else { throw CourierError.tooShort(all) }
        return all[all.count * 3 / 4]
    }

    func last(_ board: Int = sealed) throws -> UInt32 { try ordinals(board).last ?? 0 }

    func bytes(_ ordinal: UInt32, _ board: Int = sealed) throws -> [UInt8] {
        let chunks = try Data.fetchAll(
            database,
            sql: """
                SELECT bytes FROM chunk JOIN segment ON segment.id = segmentID
                WHERE boardID = ? AND ordinal = ? ORDER BY byteOffset
                """, arguments: [board, ordinal])
        return [UInt8](chunks.joined())
    }

    func store(_ bytes: [UInt8], _ ordinal: UInt32, _ board: Int = sealed) throws {
        try run("INSERT OR IGNORE INTO segment (boardID, ordinal) VALUES (?, ?)", [board, ordinal])
        try run(
            """
            DELETE FROM chunk WHERE segmentID IN (SELECT id FROM segment WHERE boardID = ? AND ordinal = ?)
            """, [board, ordinal])
        try run(
            """
            INSERT INTO chunk (segmentID, byteOffset, bytes)
            SELECT id, 0, ? FROM segment WHERE boardID = ? AND ordinal = ?
            """, [Data(bytes), board, ordinal])
    }

    func change(
        _ ordinal: UInt32, _ board: Int = sealed, _ change: (inout [UInt8]) throws -> Void
    ) throws {
        var bytes = try bytes(ordinal, board)
        try change(&bytes)
        try store(bytes, ordinal, board)
    }

    func delete(_ ordinals: some Sequence<UInt32>, _ board: Int = sealed) throws {
        for ordinal in ordinals {
            try run("DELETE FROM segment WHERE boardID = ? AND ordinal = ?", [board, ordinal])
        }
    }

    // MARK: Pages

    func pages(_ ordinal: UInt32, _ board: Int = sealed) throws -> [PageForge.Place] {
        PageForge.pages(of: try bytes(ordinal, board), ordinal: ordinal, CourierBoard.geometry)
    }

    /// Changes a page of the middle segment and writes its new checksum.
    func changePage(_ index: Int, _ change: @escaping (inout [UInt8]) -> Void) throws {
        let ordinal = try middle()
        let pages = try pages(ordinal)
        let place = pages[index < 0 ? pages.count + index : index]
        try self.change(ordinal) { PageForge.change(&$0, at: place, ordinal: ordinal, change) }
    }

    func contents(_ ordinal: UInt32, _ board: Int = sealed) throws -> SegmentContents {
        SegmentContents(
            try bytes(ordinal, board), ordinal: ordinal,
            unitByteCount: CourierBoard.geometry.unitByteCount,
            blockByteCount: CourierBoard.geometry.blockByteCount)
    }

    /// A page in clear with a made-up contact, as anybody can make it.
    ///
    /// - Parameters:
    ///   - chain: the chain's value before it; nil makes a page without a link.
    ///   - number: the number of the page in its epoch.
    ///   - header: a segment header, which gets this ordinal and a new checksum.
    static func clearPage(
        at ordinal: UInt32, _ byteOffset: Int, after chain: Bytes<16>?, number: UInt16 = 90, epoch: UInt8 = 0,
        header: [UInt8]? = nil, _ entries: [LogEntry] = CourierBoard.contact(900, identity: 0xee)
    ) -> [UInt8] {
        var content = header ?? []
        if let chain {
            content += [UInt8](copying: chain.span)
            content += [UInt8(number & 255), UInt8(number >> 8), UInt8(entries.count), 0]
            content += [UInt8](repeating: 0, count: 8)
        }
        content += entries.flatMap(\.encoded)
        var page: [UInt8] =
            [
                0xb2, (chain == nil ? 0 : 4) | (header == nil ? 0 : 2) | epoch << 4,
                UInt8(content.count & 255),
                UInt8(content.count >> 8),
            ]
            + [0, 0, 0, 0] + content
        if header != nil {
            page.replaceSubrange(16..<20, with: PageForge.littleEndian(ordinal))
            // Nothing is known of the segment before.
            page.replaceSubrange(44..<81, with: repeatElement(0, count: 37))
            let checksum = PageForge.crc32c(Array(page[0..<4] + page[8..<82]))
            page.replaceSubrange(82..<86, with: PageForge.littleEndian(checksum))
        }
        return PageForge.sealed(page, ordinal: ordinal, byteOffset: byteOffset)
    }

    /// Appends a page in the next block of a segment.
    func append(
        to ordinal: UInt32, _ board: Int = sealed, _ page: (_ byteOffset: Int, _ head: LogHead?) -> [UInt8]
    ) throws {
        let head = try contents(ordinal, board).pages.last { $0.header != nil }?.head
        try change(ordinal, board) { bytes in
            let block = CourierBoard.geometry.blockByteCount
            while bytes.count % block != 0 { bytes.append(0xff) }
            bytes += page(bytes.count, head)
            while bytes.count % CourierBoard.geometry.unitByteCount != 0 { bytes.append(0xff) }
        }
    }
}
