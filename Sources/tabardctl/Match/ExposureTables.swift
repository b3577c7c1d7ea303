import CommandLineText
import Exposure
import FixedMemory
import Foundation
import Reports

/// Encounters, windows and days of published keys, for people. A key is shown by its first digits.
struct ExposureTables {
    let document: ExposureDocument
    /// The boards' labels, by log identity.
    let labels: [String: String]

    func tables(_ search: ExposureSearch) -> [TextTable] {
        [encounters(search), windows(search), days].compactMap(\.self)
    }

    private func encounters(_ search: ExposureSearch) -> TextTable {
        let time = TimeText()
        var table = TextTable([
            .init(title: "ENCOUNTER"), .init(title: "ERROR", isNumber: true, narrowing: .dropped(rank: 1)),
            .init(title: "DURATION", isNumber: true), .init(title: "KEY"),
            .init(title: "ATTENUATION", isNumber: true),
            .init(title: "REPORT", narrowing: .wrapped(minimum: 10)),
            .init(title: "BOARD", narrowing: .wrapped(minimum: 6)),
        ])
        for (row, exposure) in zip(document.encounters, search.exposures) {
            let encounter = exposure.encounter
            table.append([
                time.moment(encounter.start, on: encounter.timeline),
                time.error(
                    of: encounter.timeline, encounter.startError,
                    notBefore: encounter.notBefore, notAfter: encounter.notAfter),
                TimeText.duration(encounter.duration), String(row.key.prefix(8)),
                row.attenuation.map { "\($0) dB" } ?? "unknown", row.reportType, label(row.board),
            ])
        }
        return table
    }

    private func windows(_ search: ExposureSearch) -> TextTable? {
        guard !document.windows.isEmpty else { return nil }
        let time = TimeText()
        var table = TextTable([
            .init(title: "WINDOW"), .init(title: "HEARD FOR", isNumber: true), .init(title: "KEY"),
            .init(title: "ATTENUATION", isNumber: true),
            .init(title: "REPORT", narrowing: .wrapped(minimum: 10)),
            .init(title: "BOARD", narrowing: .wrapped(minimum: 6)),
        ])
        for (row, window) in zip(document.windows, search.windows) {
            table.append([
                time.dateAndTime(WallClockTime(seconds: UInt64(window.window.startSeconds))),
                TimeText.duration(Interval(clamping: Int64(row.seconds) * 1_000)), String(row.key.prefix(8)),
                "\(row.attenuation) dB", row.reportType, label(row.board),
            ])
        }
        return table
    }

    private var days: TextTable? {
        guard !document.days.isEmpty else { return nil }
        let isWeighted = document.days.contains { $0.level != nil }
        var table = TextTable([
            .init(title: "DAY (UTC)"), .init(title: "WINDOWS", isNumber: true),
            .init(title: "HEARD FOR", isNumber: true),
            .init(title: isWeighted ? "WEIGHTED" : "SCORE", isNumber: true), .init(title: "RISK"),
            .init(title: "BOARD", narrowing: .wrapped(minimum: 6)),
        ])
        for row in document.days {
            table.append([
                row.date, "\(row.windows)", TimeText.duration(Interval(clamping: Int64(row.seconds) * 1_000)),
                isWeighted ? String(format: "%.1f min", row.score / 60) : String(format: "%.0f", row.score),
                row.level ?? "-", label(row.board),
            ])
        }
        return table
    }

    private func label(_ board: String) -> String { labels[board] ?? String(board.prefix(8)) }
}
