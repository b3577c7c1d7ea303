import Archive
import LogContents
import TextFormats

/// The tables that the R package socialmixr reads as a survey: participants, their contacts, and the days.
///
/// A participant of the survey is one participant of the network on one UTC day, because a survey asks for
/// the contacts of one day. A contact of the survey is one other participant on that day, with the time that
/// both were together, so each pair and day is in the table twice.
public struct SurveyTables: Sendable {
    private struct DayPair: Hashable, Comparable {
        let day: Int64
        let own: Int
        let other: Int

        static func < (one: DayPair, another: DayPair) -> Bool {
            (one.day, one.own, one.other) < (another.day, another.own, another.other)
        }
    }

    /// Milliseconds together, of each pair and day in both directions.
    private let durations: [DayPair: Int64]
    /// The participants of each day, in order.
    private let days: [(day: Int64, number: Int)]

    /// - Parameter network: its contacts are read once.
    public init(_ network: ContactNetwork) throws(ArchiveError) { self.init(try PairTable(network)) }

    init(_ pairs: PairTable) {
        var durations: [DayPair: Int64] = [:]
        var present: Set<DayPair> = []
        let length = 86_400_000 as Int64
        for (pair, total) in pairs.sorted {
            for span in total.disjointSpans {
                var start = span.start
                while start <= span.end {
                    let day = ExportTime.day(start)
                    let end = min(span.end, (day + 1) * length)
                    for (own, other) in [(pair.first, pair.second), (pair.second, pair.first)] {
                        durations[DayPair(day: day, own: own, other: other), default: 0] += end - start
                        present.insert(DayPair(day: day, own: own, other: 0))
                    }
                    guard end < span.end else { break }
                    start = end
                }
            }
        }
        self.durations = durations
        days = present.sorted().map { ($0.day, $0.own) }
    }

    /// A participant of a day, another one, and the time of both together.
    struct Entry {
        let day: Int64
        let own: Int
        let other: Int
        let milliseconds: Int64
    }

    /// In order of days, then of participants.
    var entries: [Entry] {
        durations.sorted { $0.key < $1.key }.map {
            Entry(day: $0.key.day, own: $0.key.own, other: $0.key.other, milliseconds: $0.value)
        }
    }

    /// The number of participants of the survey whose age is unknown.
    public func missingAgeCount(_ network: ContactNetwork) -> Int {
        days.count { network.participants[$0.number].label.ageYears == nil }
    }

    public var participantCount: Int { days.count }

    /// The names of ``tables``, as socialmixr's own surveys have them.
    public static let names = ["tabard_participant_common", "tabard_contact_common", "tabard_sday"]

    /// In the order of ``names``.
    public var tables: [ExportTable] { [participants, contacts, surveyDays] }

    private var participants: ExportTable {
        let days = days
        return ExportTable(
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
                for (index, entry) in days.enumerated() {
                    let participant = network.participants[entry.number]
                    let row: ExportTable.Row = [
                        .integer(Int64(index + 1)), .text(participant.id),
                        ExportValue(participant.label.ageYears), ExportValue(participant.label.sex),
                        ExportValue(participant.label.group),
                    ]
                    guard body(row) else { return }
                }
            })
    }

    private var contacts: ExportTable {
        let entries = entries
        let days = days
        return ExportTable(
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
                var partIDs: [DayPair: Int64] = [:]
                for (index, entry) in days.enumerated() {
                    partIDs[DayPair(day: entry.day, own: entry.number, other: 0)] = Int64(index + 1)
                }
                for (index, entry) in entries.enumerated() {
                    let label = network.participants[entry.other].label
                    let age = ExportValue(label.ageYears)
                    let owner = DayPair(day: entry.day, own: entry.own, other: 0)
                    let row: ExportTable.Row = [
                        .integer(Int64(index + 1)), .integer(partIDs[owner] ?? 0),
                        .text(network.participants[entry.other].id), age, age, age,
                        ExportValue(label.sex), ExportValue(label.group), .missing,
                        .integer(Self.durationClass(entry.milliseconds)),
                        .real(Double(entry.milliseconds) / 60_000),
                    ]
                    guard body(row) else { return }
                }
            })
    }

    private var surveyDays: ExportTable {
        let days = days
        return ExportTable(
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
                for (index, entry) in days.enumerated() {
                    let date = ExportTime.text(entry.day * 86_400_000).prefix(10).split(separator: "-")
                        .compactMap { Int64($0) }
                    guard date.count == 3 else { continue }
                    let row: ExportTable.Row = [
                        .integer(Int64(index + 1)), .integer(date[0] * 10_000 + date[1] * 100 + date[2]),
                        .integer(date[2]), .integer(date[1]), .integer(date[0]),
                        // 1970-01-01 was a Thursday.
                        .integer((entry.day + 4) - CivilTime.floor(entry.day + 4, by: 7) * 7),
                    ]
                    guard body(row) else { return }
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
