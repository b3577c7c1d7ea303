import BoardLink
import CommandLineText
import FixedMemory
import Foundation
import Sync

/// The state of each port of the dock: lines that are rewritten on a terminal, otherwise one line for each
/// change.
final class DockDisplay {
    private static let refresh = Interval.milliseconds(200)
    private static let progressPause = Interval.seconds(10)

    private let isInteractive = Console.isInteractive
    private var shown: [String] = []
    private var next = Instant.start
    private var printed: [String: (phase: String, time: Instant)] = [:]

    func show(_ slots: [DockSlot], now: Instant) {
        isInteractive ? rewrite(slots, now) : printChanges(slots, now)
    }

    /// Erases the lines, so that later output takes their place.
    func finish() {
        erase()
        shown = []
    }

    // MARK: On a terminal

    private func rewrite(_ slots: [DockSlot], _ now: Instant) {
        guard now >= next else { return }
        next = now + Self.refresh
        var lines = slots.map { DockText.line($0, isShort: true, now: now) }
        if lines.isEmpty { lines = ["no board yet; plug one in, or press Control-C to stop"] }
        // A line that wraps would take two, and be rewritten in the wrong place.
        let width = Console.columnCount
        lines = lines.map { $0.count < width ? $0 : $0.prefix(max(width - 2, 1)) + "…" }
        guard lines != shown else { return }
        erase()
        shown = lines
        Console.rewrite(lines.map { PlainText.displayable($0) + "\n" }.joined())
    }

    private func erase() {
        guard !shown.isEmpty else { return }
        Console.rewrite("\r\u{1b}[\(shown.count)A\u{1b}[J")
    }

    // MARK: In a log file

    private func printChanges(_ slots: [DockSlot], _ now: Instant) {
        for slot in slots {
            let phase = Self.phase(slot)
            guard !phase.isEmpty else { continue }
            let last = printed[slot.port.path]
            let isProgress = if case .syncing = slot.state { true } else { false }
            let isDue = isProgress && now >= (last?.time ?? .start) + Self.progressPause
            guard phase != last?.phase || isDue else { continue }
            printed[slot.port.path] = (phase, now)
            Console.report(DockText.line(slot, now: now))
        }
    }

    /// The event that a line reports; empty for a state without a line.
    private static func phase(_ slot: DockSlot) -> String {
        guard slot.isPluggedIn || slot.isBusy else { return "unplugged" }
        switch slot.state {
        case .waiting, .asking: return ""
        case .syncing(let progress, _): return progress.totalByteCount > 0 ? "syncing" : ""
        case .done: return "done \(slot.doneCount)"
        case .failed(let error): return "\(error)"
        }
    }
}
