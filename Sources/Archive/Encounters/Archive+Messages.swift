import EncounterLog
import FixedMemory
import Foundation
import GRDB

/// Messages that devices wrote to a board.
extension Archive {
    /// The messages of one boot, in order of time.
    func messages(ofBoot boot: Int64, in database: Database) throws -> [PeerMessage] {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT * FROM peerMessage WHERE bootID = ? ORDER BY monotonicMilliseconds, rowid",
            arguments: [boot])
        return rows.map(PeerMessage.init)
    }
}

extension PageImporter {
    func insert(_ entry: MessageEntry, boot: Int64) throws {
        try insertMessage(
            boot: boot, entry.encounter, entry.instant, PeerMessage.Kind.immediate, rssiDBm: nil,
            [UInt8](copying: entry.data.span))
    }

    func insert(_ entry: SharedPayloadsEntry, boot: Int64) throws {
        let rssiDBm = entry.rssiDBm == SharedPayloadsEntry.unknownRSSIDBm ? nil : entry.rssiDBm
        try insertMessage(
            boot: boot, entry.encounter, entry.instant, PeerMessage.Kind.sharedPayloads,
            rssiDBm: rssiDBm, [UInt8](copying: entry.payloads.span))
    }

    private func insertMessage(
        boot: Int64, _ encounter: UInt32?, _ instant: Instant, _ kind: PeerMessage.Kind, rssiDBm: Int8?,
        _ bytes: [UInt8]
    ) throws {
        try run(
            sql: """
                INSERT OR IGNORE INTO peerMessage
                    (bootID, track, monotonicMilliseconds, kind, rssiDBm, bytes)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [boot, encounter ?? 0, time(instant), kind.rawValue, rssiDBm, Data(bytes)])
    }
}

extension PeerMessage {
    /// The message's kind, as the table stores it.
    fileprivate enum Kind: Int { case immediate = 1, sharedPayloads = 2 }

    fileprivate init(row: Row) {
        let data: Data = row["bytes"]
        let number: UInt32 = row["track"]
        let content: Content =
            Kind(rawValue: row["kind"]) == .sharedPayloads
            ? .sharedPayloads([UInt8](data), rssiDBm: row["rssiDBm"]) : .immediate([UInt8](data))
        self.init(
            instant: row["monotonicMilliseconds"], track: number == 0 ? nil : number,
            content: content)
    }
}
