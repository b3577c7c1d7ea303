import Archive
import CommandLineText
import FixedMemory
import Foundation
import LogContents
import Reports

/// Encounters, for people.
struct EncounterListTable: FootnotedTable {
    private let boards: OwnBoards
    private let labels: [LogIdentity: String]
    private let time: TimeText
    private(set) var count = 0
    private var datedCount = 0
    private var worstError: Interval?
    private(set) var table = TextTable([
        .init(title: "START"), .init(title: "ERROR", isNumber: true, narrowing: .wrapped(minimum: 8)),
        .init(title: "DURATION", isNumber: true), .init(title: "WHO", narrowing: .wrapped(minimum: 16)),
        .init(title: "READINGS", isNumber: true, narrowing: .dropped(rank: 1)),
        .init(title: "STRONGEST", isNumber: true, narrowing: .dropped(rank: 3)),
        .init(title: "MEAN", isNumber: true, narrowing: .dropped(rank: 2)),
        .init(title: "BOARD", narrowing: .wrapped(minimum: 6)),
    ])

    init(boards: OwnBoards, labels: [LogIdentity: String], time: TimeText) {
        self.boards = boards
        self.labels = labels
        self.time = time
    }

    mutating func append(_ encounter: EncounterSummary) {
        count += 1
        if encounter.isOnWallClock {
            datedCount += 1
            worstError = [worstError, encounter.clockError].compactMap(\.self).max()
        }
        let rssi = encounter.rssi
        table.append([
            time.moment(encounter.start, on: encounter.timeline),
            time.error(
                of: encounter.timeline, encounter.startError,
                notBefore: encounter.notBefore, notAfter: encounter.notAfter),
            TimeText.duration(encounter.duration),
            encounter.label + boards.remark(of: encounter) + (encounter.identity?.remark ?? "")
                + encounter.remark,
            "\(encounter.readingCount)", rssi.map { "\($0.maximumDBm)" } ?? "-",
            rssi.map { String(format: "%.1f", $0.meanDBm) } ?? "-",
            labels[encounter.board] ?? encounter.board.short,
        ])
    }

    var footnote: String {
        var text = Count.text(count, "encounter")
        if datedCount > 0 { text += "; times are \(time.zoneName)" }
        if let worstError { text += ", the worst within ±\(TimeText.error(worstError))" }
        if datedCount < count {
            text += "; times with + count from the start of a boot without a clock"
        }
        return text + "; strength in dBm"
    }
}
