import Archive
import CommandLineText
import Foundation
import Reports

/// The meetings of somebody, for people.
struct MeetingTable: FootnotedTable {
    private let meetings: [Meeting]
    private let distances: ContactDistances
    private let time: TimeText

    init(_ meetings: [Meeting], _ distances: ContactDistances, time: TimeText) {
        self.meetings = meetings
        self.distances = distances
        self.time = time
    }

    var count: Int { meetings.count }

    var table: TextTable {
        let hasDistances = distances.calibration != nil
        let distance: [TextTable.Column] =
            hasDistances ? [.init(title: "DISTANCE", narrowing: .wrapped(minimum: 10))] : []
        var table = TextTable(
            [
                .init(title: "WHO", narrowing: .wrapped(minimum: 8)), .init(title: "START"),
                .init(title: "ERROR", isNumber: true, narrowing: .dropped(rank: 2)),
                .init(title: "DURATION", isNumber: true),
                .init(title: "HEARD BY", narrowing: .wrapped(minimum: 6)),
                .init(title: "READINGS", isNumber: true, narrowing: .dropped(rank: 1)),
                .init(title: "STRONGEST", isNumber: true),
                .init(title: "MEAN", isNumber: true, narrowing: .dropped(rank: 3)),
            ] + distance)
        for meeting in meetings {
            table.append(
                [
                    meeting.who + (meeting.certainty.remark.map { " [\($0)]" } ?? ""),
                    time.moment(meeting.start, on: meeting.timeline),
                    time.error(of: meeting.timeline, meeting.clockError, notBefore: nil, notAfter: nil),
                    TimeText.duration(meeting.duration), meeting.heardBy.joined(separator: ", "),
                    "\(meeting.readingCount)", meeting.maximumDBm.map { "\($0)" } ?? "-",
                    meeting.meanDBm.map { String(format: "%.1f", $0) } ?? "-",
                ] + (hasDistances ? [meeting.distance.shortText] : []))
        }
        return table
    }

    var footnote: String {
        let people = Set(meetings.map(\.who)).count
        return
            "\(Count.text(people, "name")) in \(Count.text(count, "meeting")); times are \(time.zoneName); "
            + (distances.footnote.map { "strength in dBm; \($0)" }
                ?? "strength in dBm, which does not measure distance")
    }
}

/// The times in which a board did not listen, for people.
struct UnheardTable {
    private let times: [UnheardTime]
    private let names: BoardNames
    private let time: TimeText

    init(_ times: [UnheardTime], names: BoardNames, time: TimeText) {
        self.times = times
        self.names = names
        self.time = time
    }

    var table: TextTable {
        let clock = Encounter.Timeline.wallClock(error: nil)
        var table = TextTable([
            .init(title: "FROM"), .init(title: "DURATION", isNumber: true),
            .init(title: "LISTENING", narrowing: .wrapped(minimum: 8)),
            .init(title: "CAUSE", narrowing: .wrapped(minimum: 12)),
        ])
        for unheard in times {
            table.append([
                time.moment(unheard.start, on: clock), TimeText.duration(unheard.duration),
                unheard.listeners.isEmpty
                    ? "nobody" : unheard.listeners.map { names[$0] }.joined(separator: ", "),
                unheard.cause.text,
            ])
        }
        return table
    }
}
