import Archive
import CommandLineText
import Foundation
import Reports

/// How many were near boards, for people.
struct PresenceTable: FootnotedTable {
    private let unit: PresenceCommand.Unit
    private let names: BoardNames
    private let time: TimeText
    /// Whether each row has a bar of characters.
    private let hasBars: Bool
    private(set) var count = 0
    private var peak = 0
    private var periods: [PresencePeriod] = []

    private static let barWidth = 20

    init(unit: PresenceCommand.Unit, names: BoardNames, time: TimeText, hasBars: Bool = true) {
        self.unit = unit
        self.names = names
        self.time = time
        self.hasBars = hasBars
    }

    mutating func append(_ period: PresencePeriod) {
        count += 1
        peak = max(peak, period.peakCount)
        periods.append(period)
    }

    var table: TextTable {
        var columns: [TextTable.Column] = [
            .init(title: unit == .day ? "DAY" : "START"), .init(title: "PEAK", isNumber: true),
            .init(title: "AT MOST", isNumber: true), .init(title: "MEAN", isNumber: true),
            .init(title: "BOARDS", isNumber: true, narrowing: .dropped(rank: 1), isOptional: true),
            .init(title: "BOARD", narrowing: .wrapped(minimum: 6)),
        ]
        if hasBars { columns.append(.init(title: "", narrowing: .dropped(rank: 2))) }
        var table = TextTable(columns)
        for period in periods {
            let cells = [
                unit == .day ? time.date(period.start) : time.dateHourAndMinute(period.start),
                "\(period.peakCount)", "\(period.upperCount)", String(format: "%.1f", period.meanCount),
                "\(period.boardCount)", names[period.board],
            ]
            table.append(cells + (hasBars ? [bar(period)] : []))
        }
        return table
    }

    /// The peak of a row beside that of all rows.
    private func bar(_ period: PresencePeriod) -> String {
        String(repeating: "#", count: (period.peakCount * Self.barWidth + peak - 1) / max(1, peak))
    }

    var footnote: String {
        "\(Count.text(count, "row")); times are \(time.zoneName)" + (hasBars ? "; the bars are PEAK" : "")
    }
}
