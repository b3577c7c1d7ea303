import CommandLineText
import Foundation
import Reports

/// The figures of a formal test for people: the sums, then each pair.
struct FormalTable {
    let document: FormalDocument

    /// The sums, with an empty line behind them.
    var sums: String {
        let longevity = document.longevity
        return """
            \(Count.text(document.devices.count, "device")), \(document.start) to \(document.end), \
            \(Count.text(document.windowsPerPair, "window")) of \(document.windowSeconds) s per pair
              detection   \(percent(document.detection.percent, 2)) (\(document.detection.achieved) of \
            \(document.detection.maximum) ordered pairs)
              continuity  \(percent(document.continuity.percent, 4)) (\(document.continuity.achieved) of \
            \(document.continuity.maximum) windows; missed \(percent(document.missedPercent, 7)))
              longevity   \(percent(longevity.percent, 4)) (\(longevity.firstHourWindows) windows in the first hour, \
            \(longevity.lastHourWindows) in the last; error \(percent(longevity.errorPercent, 4)))

            """
    }

    var pairs: TextTable {
        var table = TextTable([
            .init(title: "OBSERVER", narrowing: .wrapped(minimum: 12)),
            .init(title: "HEARD", narrowing: .wrapped(minimum: 12)), .init(title: "DETECTED"),
            .init(title: "WINDOWS", isNumber: true), .init(title: "MISSED", isNumber: true),
        ])
        for pair in document.pairs {
            table.append([
                pair.observer, pair.observed, pair.isDetected ? "yes" : "no", "\(pair.windows)",
                percent(pair.missedPercent, 4),
            ])
        }
        return table
    }

    private func percent(_ value: Double, _ decimals: Int) -> String {
        String(format: "%.\(decimals)f %%", value)
    }
}
