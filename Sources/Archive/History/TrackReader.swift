import EncounterLog
import FixedMemory
import Foundation
import GRDB

/// Reads the tracks of one board's boots.
final class TrackReader {
    let boardID: Int64
    private let withReadings: Bool
    let database: Database
    /// All known identities of the board by hash; nil for a hash that two identities share.
    private(set) lazy var identitiesByHash = Result { try knownIdentities() }

    /// How many tracks are read at a time.
    static let portion = 500

    /// - Parameter withReadings: includes every RSSI reading; there may be many.
    init(boardID: Int64, withReadings: Bool = false, database: Database) {
        self.boardID = boardID
        self.withReadings = withReadings
        self.database = database
    }

    /// All tracks of a boot by their numbers.
    func tracks(ofBoot boot: Int64) throws -> [RecordedTrack] {
        var tracks: [RecordedTrack] = []
        var last: UInt32?
        while true {
            let numbers = try numbers(ofBoot: boot, after: last)
            guard !numbers.isEmpty else { return tracks }
            tracks += try self.tracks(numbers, ofBoot: boot)
            last = numbers.last
        }
    }

    /// The next ``portion`` of the numbers of a boot's tracks, ascending.
    func numbers(ofBoot boot: Int64, after last: UInt32?) throws -> [UInt32] {
        try UInt32.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT number FROM track WHERE bootID = ? AND number > ? ORDER BY number LIMIT ?
                    """), arguments: [boot, last.map { Int64($0) } ?? -1, Self.portion])
    }

    /// Calls `body` with at most ``portion`` of these numbers at a time, ascending.
    static func forEachPortion(of numbers: Set<UInt32>, _ body: ([UInt32]) throws -> Void) rethrows {
        let sorted = numbers.sorted()
        for start in stride(from: 0, to: sorted.count, by: portion) {
            try body(Array(sorted[start..<min(start + portion, sorted.count)]))
        }
    }

    /// Some tracks of a boot by their numbers; those that do not exist are left out.
    func tracks(_ numbers: [UInt32], ofBoot boot: Int64) throws -> [RecordedTrack] {
        let list = TrackList(boot: boot, numbers: numbers)
        let identifications = try identifications(list)
        let samples = try list.rows(of: "sample", order: "startMilliseconds", in: database)
        let details = try list.rows(
            of: "peerDetail", order: "monotonicMilliseconds, kind, value", in: database)
        let readings =
            withReadings
            ? try list.rows(
                of: "reading", order: "reading.monotonicMilliseconds, entryMilliseconds, place", in: database)
            : [:]
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT * FROM track WHERE \(TrackList.condition) ORDER BY number"),
            arguments: list.arguments)
        return rows.map { row in
            let rowID: Int64 = row["id"]
            let address: Data? = row["address"]
            let hint: UInt8? = row["hint"]
            var track = RecordedTrack(
                number: row["number"], firstSighting: row["firstSightingMilliseconds"],
                address: address.map { RecordedAddress(bytes: [UInt8]($0), type: row["addressType"] ?? 0) },
                identifications: identifications[rowID, default: []],
                samples: samples[rowID, default: []].map { Sample(row: $0) },
                lastReading: row["lastReadingMilliseconds"], readingCount: row["readingCount"],
                details: details[rowID, default: []].map(TrackDetail.init(row:)),
                readings: readings[rowID, default: []].map {
                    Reading(time: $0["monotonicMilliseconds"], rssiDBm: $0["rssiDBm"])
                })
            track.hint = hint.map(PeerHint.init)
            return track
        }
    }
}

/// Some tracks of one boot.
struct TrackList {
    let boot: Int64
    let numbers: [UInt32]

    /// SQL for whether `track` is in the list.
    static let condition = "bootID = ? AND number IN (SELECT value FROM json_each(?))"

    var arguments: StatementArguments {
        [boot, "[" + numbers.map(String.init).joined(separator: ",") + "]"]
    }

    /// The rows of a table that refers to tracks, by the row of their track.
    func rows(of table: String, order: String, in database: Database) throws -> [Int64: [Row]] {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT \(table).* FROM track JOIN \(table) ON trackID = track.id
                    WHERE \(Self.condition) ORDER BY \(order)
                    """), arguments: arguments)
        return Dictionary(grouping: rows) { $0["trackID"] as Int64 }
    }
}

extension Sample<Instant> {
    fileprivate init(row: Row) {
        let meanTenths: Int = row["meanTenthsDBm"]
        self.init(
            start: row["startMilliseconds"], end: row["endMilliseconds"],
            readingCount: row["readingCount"], minimumDBm: row["minimumDBm"], maximumDBm: row["maximumDBm"],
            meanDBm: Double(meanTenths) / 10, txPowerDBm: row["txPowerDBm"])
    }
}
