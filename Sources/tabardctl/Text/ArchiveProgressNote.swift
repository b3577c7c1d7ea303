import Archive
import CommandLineText
import FixedMemory
import Foundation
import Reports
import Synchronization

/// The progress of long work on an archive, in a line of the terminal that the next output erases. Work of
/// less than a second has none.
final class ArchiveProgressNote: Sendable {
    private struct State {
        var work: ArchiveProgress.Work?
        var began = Date()
        var lastShown = Date()
    }

    private let state = Mutex(State())

    func show(_ progress: ArchiveProgress) {
        let now = Date()
        let seconds: TimeInterval? = state.withLock { state in
            if state.work != progress.work || progress.done <= 1 {
                state = State(work: progress.work, began: now, lastShown: now)
            }
            let seconds = now.timeIntervalSince(state.began)
            guard seconds >= 1, now.timeIntervalSince(state.lastShown) >= 0.1 else { return nil }
            state.lastShown = now
            return seconds
        }
        if let seconds { Console.showNote(Self.text(progress, seconds: seconds)) }
    }

    /// Such as "encounters read: 45 %, 450,000 of 1,000,000, 58,000/s, 9 s left".
    static func text(_ progress: ArchiveProgress, seconds: TimeInterval) -> String {
        let what =
            switch progress.work {
            case .decodingPages: "segments decoded"
            case .readingEncounters: "encounters read"
            }
        let total = max(progress.total, progress.done, 1)
        let rate = Double(progress.done) / max(seconds, 0.001)
        let left = Interval(clamping: Int64(Double(total - progress.done) / max(rate, 0.001)) * 1_000)
        return "\(what): \(progress.done * 100 / total) %, \(progress.done) of \(total), "
            + "\(Int(rate.rounded()))/s, \(TimeText.duration(left)) left"
    }
}
