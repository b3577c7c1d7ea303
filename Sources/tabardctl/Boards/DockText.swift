import BoardLink
import CommandLineText
import Sync

/// The state of one port of the dock, as one line.
enum DockText {
    /// `isShort`: whether the line only has room for a board's name.
    static func line(_ slot: DockSlot, isShort: Bool = false, nowMilliseconds now: UInt64) -> String {
        "\(isShort ? slot.label ?? slot.port.path : name(slot)): \(state(slot, nowMilliseconds: now))"
    }

    static func name(_ slot: DockSlot) -> String {
        slot.label.map { "\($0) (\(slot.port.path))" } ?? slot.port.path
    }

    private static func state(_ slot: DockSlot, nowMilliseconds now: UInt64) -> String {
        guard slot.isPluggedIn || slot.isBusy else {
            return slot.isUnfinished
                ? "unplugged before the fetch was complete; plug it in again" : "unplugged"
        }
        switch slot.state {
        case .waiting: return "waiting"
        case .asking: return "identifying the board"
        case .syncing(let progress, let elapsed):
            return amount(progress, elapsedMilliseconds: elapsed) + "; leave it plugged in"
        case .done(let summary):
            let what = SyncSummaryText.text(summary)
            guard let damage = SyncSummaryText.damage(summary, name(slot)) else {
                return "done, safe to unplug: \(what)"
            }
            return "done: \(what); \(damage.message)"
        case .failed(let error):
            // The text does not offer to run the command again, because the dock itself starts the next
            // session.
            let reason = Failure(error).message.removingPrefix("\(slot.port.path): ")
            guard let next = slot.nextMilliseconds else { return reason }
            return "\(reason) (next attempt in \((next - min(next, now) + 999) / 1_000) s)"
        }
    }

    static func amount(_ progress: SyncProgress, elapsedMilliseconds: UInt64) -> String {
        let (done, total) = (progress.fetchedByteCount, progress.totalByteCount)
        guard total > 0 else { return "checking for new data" }
        let rate = done * 1_000 / max(Int(elapsedMilliseconds), 1)
        return "\(done * 100 / total) %, \(ByteText.text(done)) of \(ByteText.text(total)), "
            + "\(ByteText.text(rate))/s"
    }
}

extension String {
    fileprivate func removingPrefix(_ prefix: String) -> String {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
    }
}
