import Archive
import GRDB
import LogContents
import TextFormats

/// The tables that the R package socialmixr reads as a survey: participants, their contacts, and the days.
///
/// A participant of the survey is one participant of the network on one UTC day, because a survey asks for
/// the contacts of one day. A contact of the survey is one other participant on that day, with the time that
/// both were together, so each pair and day is in the table twice.
public struct SurveyTables: Sendable {
    /// The time of both together, of each pair and day in both directions.
    private let scratch: ScratchDatabase
    /// The number of participants of the survey.
    public let participantCount: Int

    /// - Parameter network: its contacts are read once.
    public init(_ network: ContactNetwork) throws(ArchiveError) { try self.init(try PairTable(network)) }

    init(_ pairs: PairTable) throws(ArchiveError) {
        let scratch = try ScratchDatabase(
            """
            CREATE TABLE together (
                day INTEGER, own INTEGER, other INTEGER, milliseconds INTEGER NOT NULL,
                PRIMARY KEY (day, own, other)
            ) WITHOUT ROWID
            """)
        try pairs.forEach { pair, total in
            for (day, milliseconds) in Self.days(of: total) {
                try scratch.run { database in
                    for (own, other) in [(pair.first, pair.second), (pair.second, pair.first)] {
                        try database.insert(
                            "INSERT INTO together VALUES (?, ?, ?, ?)", [day, own, other, milliseconds])
                    }
                }
            }
            return true
        }
        participantCount = try scratch.run { database in
            try Int.fetchOne(database, sql: "SELECT count(*) FROM (SELECT DISTINCT day, own FROM together)")
                ?? 0
        }
        self.scratch = scratch
    }

    /// The milliseconds of a pair on each UTC day, in order of days.
    private static func days(of total: PairTable.Total) -> [(day: Int64, milliseconds: Int64)] {
        var days: [(day: Int64, milliseconds: Int64)] = []
        for span in total.disjointSpans {
            var start = span.start
            while start <= span.end {
                let day = ExportTime.day(start)
                let end = min(span.end, (day + 1) * millisecondsPerDay)
                if days.last?.day == day {
                    days[days.count - 1].milliseconds += end - start
                } else {
                    days.append((day, end - start))
                }
                guard end < span.end else { break }
                start = end
            }
        }
        return days
    }

    private static let millisecondsPerDay: Int64 = 86_400_000

    /// A participant of a day, another one, and the time of both together.
    struct Entry {
        /// The number of the day's participant in the survey.
        let partID: Int64
        let own: Int
        let other: Int
        let milliseconds: Int64
    }

    /// Calls `body` with each entry in order of days, then of participants.
    ///
    /// - Parameter body: says whether the next one is wanted.
    func forEachEntry(_ body: (Entry) throws(ArchiveError) -> Bool) throws(ArchiveError) {
        try scratch.run { database in
            let rows = try Row.fetchCursor(
                database, sql: "SELECT day, own, other, milliseconds FROM together ORDER BY day, own, other")
            var latest: (day: Int64, own: Int)?
            var partID: Int64 = 0
            while let row = try rows.next() {
                let (day, own): (Int64, Int) = (row[0], row[1])
                if latest.map({ $0 != (day, own) }) ?? true { partID += 1 }
                latest = (day, own)
                let entry = Entry(partID: partID, own: own, other: row[2], milliseconds: row[3])
                guard try body(entry) else { return }
            }
        }
    }

    /// Calls `body` with each participant of the survey: its number, the day, and the participant.
    ///
    /// - Parameter body: says whether the next one is wanted.
    private func forEachPart(
        _ body: (_ partID: Int64, _ day: Int64, _ number: Int) throws(ArchiveError) -> Bool
    ) throws(ArchiveError) {
        try scratch.run { database in
            let rows = try Row.fetchCursor(
                database, sql: "SELECT DISTINCT day, own FROM together ORDER BY day, own")
            var partID: Int64 = 0
            while let row = try rows.next() {
                partID += 1
                guard try body(partID, row[0], row[1]) else { return }
            }
        }
    }

    /// The number of participants of the survey whose age is unknown.
    public func missingAgeCount(_ network: ContactNetwork) throws(ArchiveError) -> Int {
        var count = 0
        try forEachPart { _, _, number throws(ArchiveError) in
            if try network.participants[number].label.ageYears == nil { count += 1 }
            return true
        }
        return count
    }

    /// The names of ``tables``, as socialmixr's own surveys have them.
    public static let names = ["tabard_participant_common", "tabard_contact_common", "tabard_sday"]

    /// In the order of ``names``.
    public var tables: [ExportTable] { [participants, contacts, surveyDays] }

    private var participants: ExportTable {
        ExportTable(
            name: Self.names[0],
            meaning: "One row for each participant and UTC day with contacts.",
            fields: [
                ExportField("part_id", .integer, "Unique: counts from 1."),
                ExportField("part_uid", .text, "The id of the participant, the same on all days."),
                ExportField("part_age", .integer, mayBeMissing: true, "Years, as the operator gave them."),
                ExportField("part_gender", .text, mayBeMissing: true, "In the operator's letters."),
                ExportField("part_group", .text, mayBeMissing: true, "The operator's group."),
            ],
            rows: { network, body throws(ArchiveError) in
                try forEachPart { partID, _, number throws(ArchiveError) in
                    let participant = try network.participants[number]
                    return body([
                        .integer(partID), .text(participant.id), ExportValue(participant.label.ageYears),
                        ExportValue(participant.label.sex), ExportValue(participant.label.group),
                    ])
                }
            })
    }

    private var contacts: ExportTable {
        ExportTable(
            name: Self.names[1],
            meaning: "One row for each other participant of a participant's day.",
            fields: [
                ExportField("cont_id", .integer, "Unique: counts from 1."),
                ExportField("part_id", .integer, "A part_id of the participants."),
                ExportField("cnt_uid", .text, "The id of the other participant."),
                ExportField(
                    "cnt_age_exact", .integer, mayBeMissing: true, "Years, as the operator gave them."),
                ExportField("cnt_age_est_min", .integer, mayBeMissing: true, "The same as cnt_age_exact."),
                ExportField("cnt_age_est_max", .integer, mayBeMissing: true, "The same as cnt_age_exact."),
                ExportField("cnt_gender", .text, mayBeMissing: true, "In the operator's letters."),
                ExportField("cnt_group", .text, mayBeMissing: true, "The operator's group."),
                ExportField(
                    "phys_contact", .integer, mayBeMissing: true, "Always missing: nobody measured it."),
                ExportField(
                    "duration_multi", .integer,
                    "The time together: 1 below 5 min, 2 to 15 min, 3 to 1 h, 4 to 4 h, 5 longer."),
                ExportField("duration_minutes", .real, "The time together on this day."),
            ],
            rows: { network, body throws(ArchiveError) in
                var contactID: Int64 = 0
                try forEachEntry { entry throws(ArchiveError) in
                    contactID += 1
                    let other = try network.participants[entry.other]
                    let age = ExportValue(other.label.ageYears)
                    return body([
                        .integer(contactID), .integer(entry.partID), .text(other.id), age, age, age,
                        ExportValue(other.label.sex), ExportValue(other.label.group), .missing,
                        .integer(Self.durationClass(entry.milliseconds)),
                        .real(Double(entry.milliseconds) / 60_000),
                    ])
                }
            })
    }

    private var surveyDays: ExportTable {
        ExportTable(
            name: Self.names[2], meaning: "The day of each participant of the survey.",
            fields: [
                ExportField("part_id", .integer, "A part_id of the participants."),
                ExportField("sday_id", .integer, "The day as YYYYMMDD, UTC."),
                ExportField("day", .integer, "Day of the month."),
                ExportField("month", .integer, "1 to 12."),
                ExportField("year", .integer, "Of the Gregorian calendar."),
                ExportField("dayofweek", .integer, "0 Sunday to 6 Saturday, as in POLYMOD."),
            ],
            rows: { _, body throws(ArchiveError) in
                try forEachPart { partID, day, _ throws(ArchiveError) in
                    let date = ExportTime.text(day * Self.millisecondsPerDay).prefix(10).split(separator: "-")
                        .compactMap { Int64($0) }
                    guard date.count == 3 else { return true }
                    return body([
                        .integer(partID), .integer(date[0] * 10_000 + date[1] * 100 + date[2]),
                        .integer(date[2]), .integer(date[1]), .integer(date[0]),
                        // 1970-01-01 was a Thursday.
                        .integer((day + 4) - CivilTime.floor(day + 4, by: 7) * 7),
                    ])
                }
            })
    }

    /// The answers of POLYMOD's question for the total time.
    private static func durationClass(_ milliseconds: Int64) -> Int64 {
        switch milliseconds {
        case ..<300_000: 1
        case ..<900_000: 2
        case ..<3_600_000: 3
        case ..<14_400_000: 4
        default: 5
        }
    }
}
