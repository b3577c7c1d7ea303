import Archive
import BoardLink
import FixedMemory
import Foundation
import LogContents
import Synchronization

/// Synchronises all plugged-in boards at the same time; boards may be plugged in and unplugged.
///
/// The caller runs ``step()`` periodically: it lists the ports and starts sessions, each on its own thread.
/// The sessions share the archive, which permits one writer at a time.
public final class Dock: Sendable {
    public struct Options: Sendable {
        public var sync = Synchroniser.Options()
        /// The interval after which a board that stays plugged in is synchronised again; nil disables it.
        public var interval: Interval? = .minutes(15)
        /// Retries a failed session after two seconds, then four, and so on up to one minute.
        public var retries = true

        public init() {}
    }

    private struct Table {
        var slots: [DockSlot] = []
        /// The boards in use, each with the port of its session.
        var claims: [LogIdentity: String] = [:]
    }

    private static let shortestPause = Interval.seconds(2)
    private static let longestPause = Interval.minutes(1)

    private let archive: Archive
    private let options: Options
    private let ports: @Sendable () -> [PluggedPort]
    private let open: @Sendable (String) throws(LinkError) -> any ByteChannel
    private let shouldStop: @Sendable () -> Bool
    private let start: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let clock: @Sendable () -> Instant
    private let table = Mutex(Table())

    /// - Parameters:
    ///   - ports: returns the ports that may have a board behind them now.
    ///   - shouldStop: ends all sessions, between two requests.
    ///   - start: runs a session, on a new thread by default.
    public init(
        archive: Archive, options: Options = Options(), ports: @escaping @Sendable () -> [PluggedPort],
        open: @escaping @Sendable (String) throws(LinkError) -> any ByteChannel,
        shouldStop: @escaping @Sendable () -> Bool = { false },
        start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { Thread(block: $0).start() },
        clock: @escaping @Sendable () -> Instant = { .now }
    ) {
        self.archive = archive
        self.options = options
        self.ports = ports
        self.open = open
        self.shouldStop = shouldStop
        self.start = start
        self.clock = clock
    }

    /// In the order in which the ports were found.
    public var slots: [DockSlot] { table.withLock { $0.slots } }

    /// True if no session runs and none will start unless a board is plugged in.
    public var isIdle: Bool {
        slots.allSatisfy { !$0.isBusy && ($0.next == nil || !$0.isPluggedIn) }
    }

    public var isBusy: Bool { slots.contains(where: \.isBusy) }

    /// Lists the ports and starts the sessions that are due.
    public func step() {
        let found = ports()
        let now = clock()
        let due = table.withLock { table in
            Self.update(found, in: &table.slots, now: now)
            var due: [String] = []
            for index in table.slots.indices where Self.isDue(table.slots[index], now) {
                table.slots[index].isBusy = true
                table.slots[index].state = .asking
                due.append(table.slots[index].port.path)
            }
            return due
        }
        for path in due { start { [self] in runSession(path) } }
    }

    private static func isDue(_ slot: DockSlot, _ now: Instant) -> Bool {
        guard slot.isPluggedIn, !slot.isBusy, let next = slot.next else { return false }
        return next <= now
    }

    private static func update(
        _ found: [PluggedPort], in slots: inout [DockSlot], now: Instant
    ) {
        for index in slots.indices where !found.contains(where: { $0.path == slots[index].port.path }) {
            slots[index].isPluggedIn = false
        }
        for port in found {
            guard let index = slots.firstIndex(where: { $0.port.path == port.path }) else {
                slots.append(DockSlot(port, now: now))
                continue
            }
            // A session that lost its port ends by itself.
            guard !slots[index].isBusy else { continue }
            guard !slots[index].isPluggedIn || slots[index].port != port else { continue }
            slots[index].port = port
            slots[index].isPluggedIn = true
            slots[index].state = .waiting
            slots[index].failureCount = 0
            slots[index].next = now
        }
    }

    // MARK: A session

    private func runSession(_ path: String) {
        do throws(DockFailure) {
            let summary = try fetch(path)
            end(path) { slot, now, options in
                slot.state = .done(summary)
                slot.isUnfinished = false
                slot.failureCount = 0
                slot.fetchedByteCount += summary.fetchedByteCount
                slot.doneCount += 1
                slot.next = options.interval.map { now + $0 }
            }
        } catch {
            end(path) { slot, now, options in
                if case .syncing(let progress, _) = slot.state {
                    slot.isUnfinished = true
                    slot.fetchedByteCount += progress.fetchedByteCount
                }
                slot.state = .failed(error)
                let pause = Self.shortestPause * (1 << min(slot.failureCount, 8))
                slot.failureCount += 1
                slot.next =
                    options.retries ? now + min(pause, Self.longestPause) : nil
            }
        }
    }

    private func end(_ path: String, _ change: (inout DockSlot, Instant, Options) -> Void) {
        let now = clock()
        update(path) { slot in
            change(&slot, now, options)
            slot.isBusy = false
        }
    }

    private func update(_ path: String, _ change: (inout DockSlot) -> Void) {
        table.withLock { table in
            guard let index = table.slots.firstIndex(where: { $0.port.path == path }) else { return }
            change(&table.slots[index])
        }
    }

    private func fetch(_ path: String) throws(DockFailure) -> SyncSummary {
        let client = try asking { () throws(LinkError) in BoardClient(try open(path), patience: .probe) }
        let board = try identity(client, path)
        try claim(board, path)
        defer { table.withLock { $0.claims[board] = nil } }
        let label = (try? archive.label(of: board)) ?? board.short
        update(path) { slot in
            slot.board = board
            slot.label = label
        }
        client.patience = BoardClient.RetryPolicy()
        let begin = clock()
        let synchroniser = Synchroniser(
            client: client, archive: archive, options: options.sync, shouldStop: shouldStop,
            report: { progress in
                let elapsed = self.clock() - begin
                self.update(path) { $0.state = .syncing(progress, elapsed: elapsed) }
            })
        do throws(SyncError) { return try synchroniser.run() } catch { throw .sync(error) }
    }

    private func identity(_ client: BoardClient, _ path: String) throws(DockFailure) -> LogIdentity {
        do throws(LinkError) {
            _ = try client.echo()
            let status = try client.status()
            guard let board = LogIdentity([UInt8](copying: status.logIdentity.span)) else {
                throw LinkError.indexUnreadable(port: path)
            }
            return board
        } catch {
            if case .refused = error { throw .otherServer(port: path) }
            throw .sync(.link(error))
        }
    }

    /// Prevents two sessions with one board, which would interfere with each other.
    private func claim(_ board: LogIdentity, _ path: String) throws(DockFailure) {
        let other = table.withLock { table in
            let other = table.claims[board]
            if other == nil { table.claims[board] = path }
            return other
        }
        if let other { throw .sameBoard(port: path, other: other) }
    }

    private func asking<Answer>(_ question: () throws(LinkError) -> Answer) throws(DockFailure) -> Answer {
        do throws(LinkError) { return try question() } catch { throw .sync(.link(error)) }
    }
}
