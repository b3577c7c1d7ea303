import EncounterLog
import FixedMemory
import Foundation
import GRDB

/// Details of an encounter's peer, and its RSSI readings.
extension Archive {
    /// The details by the row of their track, each list in order of time.
    func details(ofBoot boot: Int64, in database: Database) throws -> [Int64: [TrackDetail]] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT peerDetail.* FROM peerDetail JOIN track ON trackID = track.id
                WHERE bootID = ? ORDER BY monotonicMilliseconds, kind
                """, arguments: [boot])
        return Dictionary(grouping: rows) { $0["trackID"] as Int64 }.mapValues { $0.map(TrackDetail.init) }
    }

    /// The RSSI readings by the row of their track, each list in order of time.
    func readings(ofBoot boot: Int64, in database: Database) throws -> [Int64: [Reading<Instant>]] {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT trackID, reading.monotonicMilliseconds AS milliseconds, rssiDBm
                FROM reading JOIN track ON trackID = track.id
                WHERE bootID = ? ORDER BY trackID, reading.monotonicMilliseconds, entryMilliseconds, place
                """, arguments: [boot])
        var readings: [Int64: [Reading<Instant>]] = [:]
        while let row = try rows.next() {
            readings[row["trackID"] as Int64, default: []].append(
                Reading(time: row["milliseconds"], rssiDBm: row["rssiDBm"]))
        }
        return readings
    }
}

extension TrackDetail {
    fileprivate init(row: Row) {
        let data: Data = row["value"]
        let kind: UInt8 = row["kind"]
        self.init(
            instant: row["monotonicMilliseconds"], what: What(kind: kind, value: [UInt8](data)))
    }
}

extension TrackDetail.What {
    /// Accepts any value; one that does not have the shape of its kind is kept as raw bytes.
    public init(kind: UInt8, value: [UInt8]) {
        switch PeerDetail(rawValue: kind) {
        case .otherAddress where value.count >= 7:
            self = .address(RecordedAddress(bytes: Array(value.prefix(6)), type: value[6]))
        case .pseudoAddress where value.count >= 6: self = .pseudoAddress(Array(value.prefix(6)))
        case .model: self = .model(String(decoding: value, as: UTF8.self))
        case .manufacturer: self = .manufacturer(String(decoding: value, as: UTF8.self))
        case .writtenRSSI where value.count >= 1: self = .writtenRSSI(dBm: Int(Int8(bitPattern: value[0])))
        default: self = .other(kind: kind, value: value)
        }
    }
}
