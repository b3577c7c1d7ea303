import Archive
import CommandLineText
import Foundation
import Reports

/// A table for people, and the line below it.
protocol FootnotedTable {
    var table: TextTable { get }
    var count: Int { get }
    var footnote: String { get }
}

extension Listing {
    /// Prints a table, or why there is none.
    func print(_ listed: some FootnotedTable, absence: String) throws(Failure) {
        if listed.count == 0 { Console.report(absence) } else { print(listed.table) }
        try finish()
        if listed.count > 0 { Console.note(listed.footnote) }
    }
}

/// Contacts of boards, for people.
struct ContactTable: FootnotedTable {
    private let names: BoardNames
    private let distances: ContactDistances
    private let time: TimeText
    private(set) var count = 0
    private(set) var table: TextTable

    init(names: BoardNames, _ distances: ContactDistances, time: TimeText) {
        self.names = names
        self.distances = distances
        self.time = time
        table = TextTable(
            [
                .init(title: "START"), .init(title: "ERROR", isNumber: true, narrowing: .dropped(rank: 2)),
                .init(title: "DURATION", isNumber: true),
                .init(title: "BOARD", narrowing: .wrapped(minimum: 6)),
                .init(title: "MET", narrowing: .wrapped(minimum: 6)),
                .init(title: "HEARD BY", narrowing: .wrapped(minimum: 6)),
                .init(title: "READINGS", isNumber: true, narrowing: .dropped(rank: 1)),
                .init(title: "STRONGEST", isNumber: true, narrowing: .dropped(rank: 3)),
            ]
                + (distances.calibration == nil
                    ? [] : [.init(title: "DISTANCE", narrowing: .wrapped(minimum: 10))]))
    }

    mutating func append(_ contact: BoardContact) {
        count += 1
        let heard = contact.sides.filter { $0.encounterCount > 0 }.map { names[$0.board] }
        let strongest = contact.sides.compactMap(\.maximumDBm).max()
        let distance = distances.calibration == nil ? [] : [distances.estimate(contact).shortText]
        table.append(
            [
                time.moment(contact.start, on: contact.timeline),
                time.error(of: contact.timeline, contact.clockError, notBefore: nil, notAfter: nil),
                TimeText.duration(contact.duration), names[contact.first.board],
                names[contact.second.board] + (contact.certainty.remark.map { " [\($0)]" } ?? ""),
                contact.isMutual ? "both" : heard.joined(),
                "\(contact.first.readingCount + contact.second.readingCount)",
                strongest.map { "\($0)" } ?? "-",
            ] + distance)
    }

    var footnote: String {
        "\(Count.text(count, "contact")); times are \(time.zoneName); strength in dBm"
            + (distances.footnote.map { "; \($0)" } ?? "")
    }
}

/// Common visits to beacons, for people.
struct CommonVisitTable: FootnotedTable {
    private let names: BoardNames
    private let time: TimeText
    private(set) var count = 0
    private(set) var table = TextTable([
        .init(title: "START"), .init(title: "ERROR", isNumber: true, narrowing: .dropped(rank: 1)),
        .init(title: "DURATION", isNumber: true), .init(title: "BEACON", narrowing: .wrapped(minimum: 6)),
        .init(title: "BOARD", narrowing: .wrapped(minimum: 6)),
        .init(title: "AND", narrowing: .wrapped(minimum: 6)),
    ])

    init(names: BoardNames, time: TimeText) {
        self.names = names
        self.time = time
    }

    mutating func append(_ visit: CommonVisit) {
        count += 1
        let timeline = Encounter.Timeline.wallClock(error: visit.clockError)
        table.append([
            time.moment(visit.start, on: timeline), "±" + TimeText.error(visit.clockError),
            TimeText.duration(visit.duration), names[visit.beacon], names[visit.first], names[visit.second],
        ])
    }

    var footnote: String {
        "\(Count.text(count, "common visit")); times are \(time.zoneName); contacts without a clock are left out"
    }
}
