import Archive
import BoardLink
import CLinux
import CommandLineText
import FixedMemory
import Foundation
import Sync

/// Runs `tabardctl sync` with several boards: each once, or until the operator presses Control-C.
struct SyncDock {
    private static let step = Interval.milliseconds(500)
    private static let pauseMicroseconds: UInt32 = 50_000

    let archive: Archive
    let options: Synchroniser.Options
    let baud: UInt32

    /// Fetches all boards that are plugged in at these paths or patterns, now or later. It fetches a board
    /// that stays plugged in again after `intervalSeconds`, or never if that is 0.
    func watch(_ patterns: [String], intervalSeconds: UInt32) throws(Failure) {
        var options = Dock.Options()
        options.sync = self.options
        options.interval = intervalSeconds == 0 ? nil : .seconds(UInt64(intervalSeconds))
        let dock = dock(options) { SerialPorts.plugged(matching: patterns) }
        run(dock, until: { _ in false })
        for slot in dock.slots where slot.board != nil { Console.print(Self.total(slot)) }
        if let failure = Self.failureOfWatch(dock.slots) { throw failure }
    }

    /// Fetches each of these ports once, all at the same time.
    func once(_ paths: [String]) throws(Failure) {
        var options = Dock.Options()
        options.sync = self.options
        options.interval = nil
        options.retries = false
        let dock = dock(options) { paths.map { PluggedPort(path: $0) } }
        run(dock, until: \.isIdle)
        var failures: [Failure] = []
        for slot in dock.slots {
            switch slot.state {
            case .done(let summary):
                Console.print("\(slot.label ?? slot.port.path): \(SyncSummaryText.text(summary))")
                if let damage = SyncSummaryText.damage(summary, DockText.name(slot)) {
                    failures.append(damage)
                }
            case .failed(let error): failures.append(Failure(error, hasBegun: slot.isUnfinished))
            case .waiting, .asking, .syncing: failures.append(Failure(SyncError.stopped, hasBegun: false))
            }
        }
        if Interruption.isRequested, !failures.isEmpty { throw Failure(SyncError.stopped, hasBegun: true) }
        for failure in failures { Console.report("tabardctl: \(failure.message)") }
        guard let first = failures.first else { return }
        throw Failure(
            first.code, "\(failures.count) of \(Count.text(paths.count, "board")) failed; see above")
    }

    private func dock(
        _ options: Dock.Options, _ ports: @escaping @Sendable () -> [PluggedPort]
    ) -> Dock {
        let baud = baud
        return Dock(
            archive: archive, options: options, ports: ports,
            open: { path throws(LinkError) in try SerialChannel(path: path, baud: baud) },
            shouldStop: { Interruption.isRequested })
    }

    /// Steps the dock until it is done. After an interruption, each session ends at its next request.
    private func run(_ dock: Dock, until isOver: (Dock) -> Bool) {
        Interruption.watch()
        let display = DockDisplay()
        var next = Instant.start
        var wasBusy = false
        while !Interruption.isRequested || dock.isBusy {
            let now = Instant.now
            if now >= next, !Interruption.isRequested {
                dock.step()
                next = now + Self.step
            }
            display.show(dock.slots, now: now)
            if wasBusy, !dock.isBusy { OpenArchives.settle() }
            wasBusy = dock.isBusy
            if isOver(dock) { break }
            usleep(Self.pauseMicroseconds)
        }
        display.finish()
    }

    // MARK: Totals

    private static func total(_ slot: DockSlot) -> String {
        var text = "\(DockText.name(slot)): "
        text += Count.text(slot.doneCount, "complete fetch", "complete fetches")
        text += ", \(ByteText.text(slot.fetchedByteCount)) in total"
        if slot.isUnfinished { text += "; the last fetch is incomplete" }
        if case .done(let summary) = slot.state, let damage = SyncSummaryText.damage(summary, name(slot)) {
            text += "; \(damage.message)"
        }
        return text
    }

    private static func name(_ slot: DockSlot) -> String { slot.label ?? slot.port.path }

    private static func failureOfWatch(_ slots: [DockSlot]) -> Failure? {
        for slot in slots {
            guard case .done(let summary) = slot.state else { continue }
            if let damage = SyncSummaryText.damage(summary, name(slot)) { return damage }
        }
        let unfinished = slots.count(where: \.isUnfinished)
        if unfinished > 0 {
            return Failure(
                .tryAgain,
                "not fetched completely: \(unfinished) of \(Count.text(slots.count, "board")); plug them in again"
            )
        }
        guard slots.contains(where: { $0.doneCount > 0 }) else {
            return Failure(.unavailable, "no board was fetched; plug one in and try again")
        }
        return nil
    }
}
