import FlashSimulator
import Foundation
import Simulator

/// The counts of power cuts: a line for each medium, kind of pages and mode, summed over seeds.
struct PowerCutTable {
    private(set) var lines: [String] = []
    let total: PowerCutCounts

    private static let table = ColumnLayout(widths: [7, 8, 11], numberWidth: 10)

    init(_ counts: [(scenario: PowerCutScenario, counts: PowerCutCounts)]) {
        var total = PowerCutCounts()
        lines.append(
            Self.table.row(
                "medium", "pages", "cut", "programs", "erasures", "syncs", "cuts", "cut again", "lost",
                "wrong", "stuck"))
        for medium in PowerCutScenario.Medium.allCases {
            for pages in PowerCutScenario.Pages.allCases {
                for mode in PowerCutScenario.Mode.allCases {
                    let all = counts.filter {
                        $0.scenario.medium == medium && $0.scenario.pages == pages && $0.scenario.mode == mode
                    }
                    guard !all.isEmpty else { continue }
                    let sum = all.reduce(into: PowerCutCounts()) { $0 += $1.counts }
                    total += sum
                    lines.append(Self.row("\(medium)", "\(pages)", "\(mode)", sum))
                }
            }
        }
        lines.append(Self.row("all", "", "", total))
        self.total = total
    }

    private static func row(_ medium: String, _ pages: String, _ mode: String, _ counts: PowerCutCounts)
        -> String
    {
        table.row(
            medium, pages, mode, "\(counts.programs)", "\(counts.erasures)", "\(counts.syncs)",
            "\(counts.cuts)",
            "\(counts.cutsAgain)", "\(counts.lost)", "\(counts.wrong)", "\(counts.stuck)")
    }
}
