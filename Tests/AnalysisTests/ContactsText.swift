import TextFormats

@testable import Analysis

/// Rows of a log given as text, in pieces of any size.
struct ContactsText {
    struct Row: Equatable {
        let seconds: Int64
        let event: HeraldEvent
        let device: String
        let data: String
    }

    var rows: [Row] = []
    var malformedLineCount = 0
    var firstMalformedLine: Int?

    init(_ text: String, pieceByteCount: Int = .max) throws(ContactsError) {
        try self.init(Array(text.utf8), pieceByteCount: pieceByteCount)
    }

    init(_ bytes: [UInt8], pieceByteCount: Int = .max) throws(ContactsError) {
        var reader = ContactsReader()
        var rows: [Row] = []
        let take = { (row: ContactsRow) in
            rows.append(
                Row(
                    seconds: row.seconds, event: row.event,
                    device: String(decoding: row.device, as: UTF8.self),
                    data: String(decoding: row.data, as: UTF8.self)))
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            try reader.read(Array(rest.prefix(pieceByteCount)), take)
            rest = rest.dropFirst(pieceByteCount)
        }
        try reader.finish(take)
        self.rows = rows
        malformedLineCount = reader.malformedLineCount
        firstMalformedLine = reader.firstMalformedLine
    }
}

/// A participant with log rows such as "23:20:01 measure AA RSSI:-50.0"; the day is 2020-12-08.
func participant(_ name: String, _ shortName: String, _ rows: [String]) throws -> FormalParticipant {
    var log = "time,sensor,id,detect,read,measure,share,visit,data\n"
    for row in rows {
        let parts = row.split(separator: " ").map(String.init)
        let columns = HeraldLogGeneration.first.events.map { $0.column == parts[1] ? "\($0.rawValue)" : "" }
        log +=
            (["2020-12-08 \(parts[0])", "BLE", parts[2]] + columns + [parts.count > 3 ? parts[3] : ""])
            .joined(separator: ",") + "\n"
    }
    var observations = FormalObservations()
    var reader = ContactsReader()
    try reader.read(Array(log.utf8)) { observations.append($0) }
    try reader.finish { observations.append($0) }
    return FormalParticipant(
        device: FormalDevice(
            name: name, model: name, system: "Linux", systemVersion: "1", shortName: shortName),
        observations: observations)
}

/// The second of a time on 2020-12-08.
func secondOfTest(_ time: String) -> Int64 {
    CivilTime.seconds(ArraySlice(Array("2020-12-08 \(time)".utf8))) ?? 0
}
