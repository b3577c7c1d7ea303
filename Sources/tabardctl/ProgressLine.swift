import BoardLink
import Foundation

/// How far a synchronisation is: one line that is rewritten on a terminal, now and then a line elsewhere.
final class ProgressLine {
    private let name: String
    private let isInteractive = Console.isInteractive
    private let start = Date()
    private var lastShown = Date.distantPast
    private var isShown = false
    private(set) var hasBegun = false

    init(name: String) { self.name = name }

    func update(_ progress: SyncProgress) {
        hasBegun = hasBegun || progress.fetchedByteCount > 0
        let isLast = progress.fetchedByteCount == progress.totalByteCount
        let interval = isInteractive ? 0.1 : 10
        guard progress.totalByteCount > 0, isLast || Date().timeIntervalSince(lastShown) >= interval else {
            return
        }
        // Short fetches need no lines of their own in a log file.
        if !isInteractive, lastShown == .distantPast, !isLast {
            lastShown = Date()
            return
        }
        lastShown = Date()
        isInteractive ? rewrite(progress) : Console.note("\(name): \(amount(progress))")
    }

    /// Leaves the line, so that what follows starts on its own.
    func finish() {
        if isShown { FileHandle.standardError.write(Data("\r\u{1b}[K".utf8)) }
        isShown = false
    }

    private func rewrite(_ progress: SyncProgress) {
        let width = 24
        let done = progress.fetchedByteCount * width / max(progress.totalByteCount, 1)
        let bar = String(repeating: "━", count: done) + String(repeating: "┄", count: max(0, width - done))
        FileHandle.standardError.write(Data("\r\u{1b}[K\(name) \(bar) \(amount(progress))".utf8))
        isShown = true
    }

    private func amount(_ progress: SyncProgress) -> String {
        let percent = progress.fetchedByteCount * 100 / max(progress.totalByteCount, 1)
        let seconds = max(Date().timeIntervalSince(start), 0.001)
        let rate = ByteText.text(Int(Double(progress.fetchedByteCount) / seconds))
        return "\(percent) %, \(ByteText.text(progress.fetchedByteCount)) of "
            + "\(ByteText.text(progress.totalByteCount)), \(rate)/s"
    }
}
