import BoardLink
import CommandLineText
import FixedMemory
import Sync

/// The state of one port of the dock, as one line.
enum DockText {
    /// `isShort`: whether the line only has room for a board's name, and for the warnings of a fetch.
    static func line(_ slot: DockSlot, isShort: Bool = false, now: Instant) -> String {
        "\(isShort ? slot.label ?? slot.port.path : name(slot)): \(state(slot, isShort: isShort, now: now))"
    }

    static func name(_ slot: DockSlot) -> String {
        slot.label.map { "\($0) (\(slot.port.path))" } ?? slot.port.path
    }

    /// The line without numbers that grow, for a screen reader. Nil while nothing is known yet.
    static func announcement(_ slot: DockSlot) -> String? {
        let state: String
        switch slot.state {
        case _ where !isConnected(slot): state = unplugged(slot)
        case .waiting, .asking: return nil
        case .syncing: state = "fetching; leave it plugged in"
        case .done(let summary): state = SyncSummaryText.short(summary)
        case .failed(let error): state = reason(error, slot)
        }
        return "\(slot.label ?? slot.port.path): \(state)"
    }

    private static func isConnected(_ slot: DockSlot) -> Bool { slot.isPluggedIn || slot.isBusy }

    private static func unplugged(_ slot: DockSlot) -> String {
        slot.isUnfinished ? "unplugged before the fetch was complete; plug it in again" : "unplugged"
    }

    private static func reason(_ error: DockFailure, _ slot: DockSlot) -> String {
        Failure(error).message.removingPrefix("\(slot.port.path): ")
    }

    private static func state(_ slot: DockSlot, isShort: Bool, now: Instant) -> String {
        guard isConnected(slot) else { return unplugged(slot) }
        switch slot.state {
        case .waiting: return "waiting"
        case .asking: return "identifying the board"
        case .syncing(let progress, let elapsed):
            return amount(progress, elapsed: elapsed) + "; leave it plugged in"
        case .done(let summary) where isShort: return SyncSummaryText.short(summary)
        case .done(let summary):
            let what = SyncSummaryText.text(summary)
            guard let damage = SyncSummaryText.damage(summary, name(slot)) else {
                return "done, safe to unplug: \(what)"
            }
            return "done: \(what); \(damage.message)"
        case .failed(let error):
            // The text does not offer to run the command again, because the dock itself starts the next
            // session.
            let reason = reason(error, slot)
            guard let next = slot.next else { return reason }
            return "\(reason) (next attempt in \((next.interval(since: now) + .milliseconds(999)).seconds) s)"
        }
    }

    static func amount(_ progress: SyncProgress, elapsed: Interval) -> String {
        let (done, total) = (progress.fetchedByteCount, progress.totalByteCount)
        guard total > 0 else { return "checking for new data" }
        return TransferText.text(done: done, of: total, milliseconds: Int(clamping: elapsed.milliseconds))
    }
}

extension String {
    fileprivate func removingPrefix(_ prefix: String) -> String {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
    }
}
