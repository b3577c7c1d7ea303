import BoardLink
import CommandLineText
import Foundation
import Sync

/// The progress of long work: one line that is rewritten on a terminal, and a line at intervals elsewhere.
final class ProgressLine {
    enum Unit { case bytes, rows, devices }

    private let name: String
    private let unit: Unit
    private let isInteractive = Console.isInteractive
    private let start = Date()
    private var lastShown = Date.distantPast
    private var isShown = false
    private var isFinished = false
    private(set) var hasBegun = false

    init(name: String, unit: Unit = .bytes) {
        self.name = PlainText.displayable(name)
        self.unit = unit
    }

    func update(_ progress: SyncProgress) {
        update(done: progress.fetchedByteCount, of: progress.totalByteCount)
    }

    func update(done: Int, of total: Int) {
        hasBegun = hasBegun || done > 0
        let isLast = done == total
        let interval = isInteractive ? 0.1 : 10
        guard total > 0, !isFinished, isLast || Date().timeIntervalSince(lastShown) >= interval else {
            return
        }
        isFinished = isLast
        // Short work needs no lines of its own in a log file.
        guard isInteractive || Date().timeIntervalSince(start) >= interval else { return }
        lastShown = Date()
        isInteractive ? rewrite(done, total) : Console.report("\(name): \(amount(done, total))")
    }

    /// Erases the line, so that later output starts on a clean line.
    func finish() {
        if isShown { Console.rewrite("\r\u{1b}[K") }
        isShown = false
    }

    private func rewrite(_ done: Int, _ total: Int) {
        let amount = amount(done, total)
        // A line that wraps would not be erased as a whole.
        let room = Console.columnCount - name.count - amount.count - 3
        let width = room < 8 ? 0 : min(room, 24)
        let filled = done * width / max(total, 1)
        let bar =
            String(repeating: "━", count: filled) + String(repeating: "┄", count: max(0, width - filled))
        let line = "\(name) \(bar)\(width > 0 ? " " : "")\(amount)"
        Console.rewrite("\r\u{1b}[K" + line.prefix(Console.columnCount - 1))
        isShown = true
    }

    private func amount(_ done: Int, _ total: Int) -> String {
        let percent = done * 100 / max(total, 1)
        let seconds = max(Date().timeIntervalSince(start), 0.001)
        let rate = Int(Double(done) / seconds)
        switch unit {
        case .bytes: return TransferText.text(done: done, of: total, milliseconds: Int(seconds * 1_000))
        case .devices: return "\(done) of \(Count.text(total, "device"))"
        case .rows: return "\(percent) %, \(done) of \(total) rows, \(rate)/s"
        }
    }
}
