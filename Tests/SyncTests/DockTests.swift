import Archive
import BoardLink
import BoardTestSupport
import FixedMemory
import Foundation
import Synchronization
import Testing

@testable import DeviceSync
@testable import Sync

/// Boards that are plugged in and unplugged. Each session runs to its end within `step()`, and the clock only
/// moves when a test moves it.
@Suite struct DockTests {
    private let archive: Archive
    private let hub = Hub()

    init() throws { archive = try Archive(inMemoryNamed: "test") }

    @Test func `each board that is plugged in is fetched from once`() throws {
        let dock = dock()
        dock.step()
        #expect(dock.slots.isEmpty)
        let first = try hub.plug("a", identity: 1, encounters: 5)
        dock.step()
        let second = try hub.plug("b", identity: 2, encounters: 7)
        dock.step()
        dock.step()
        #expect(dock.slots.map(\.doneCount) == [1, 1])
        #expect(dock.slots.map(\.board) == [first.identity, second.identity])
        #expect(try archive.encounters().count == 12)
        #expect(dock.slots.allSatisfy { !$0.isUnfinished && !$0.isBusy })
        #expect(hub.openCount == 2)
    }

    @Test func `a board that is plugged in again is fetched from at once`() throws {
        let dock = dock()
        let board = try hub.plug("a", identity: 1, encounters: 5)
        dock.step()
        hub.unplug("a")
        dock.step()
        #expect(dock.slots.map(\.isPluggedIn) == [false])
        try board.record(3)
        hub.plug("a", board)
        dock.step()
        #expect(dock.slots.map(\.doneCount) == [2])
        #expect(try archive.encounters().count == 8)
    }

    @Test func `a board that was swapped between two polls is noticed`() throws {
        let dock = dock()
        _ = try hub.plug("a", identity: 1, encounters: 5)
        dock.step()
        let other = try hub.plug("a", identity: 2, encounters: 2)
        dock.step()
        #expect(dock.slots.map(\.board) == [other.identity])
        #expect(try archive.boards().count == 2)
    }

    @Test func `a board that stays is fetched from again after the interval`() throws {
        let dock = dock()
        let board = try hub.plug("a", identity: 1, encounters: 5)
        dock.step()
        try board.record(3)
        hub.now += 899_999
        dock.step()
        #expect(try archive.encounters().count == 5)
        hub.now += 1
        dock.step()
        #expect(try archive.encounters().count == 8)
    }

    @Test func `without an interval a board is fetched from once`() throws {
        var options = Dock.Options.trusting
        options.interval = nil
        let dock = dock(options)
        _ = try hub.plug("a", identity: 1, encounters: 5)
        dock.step()
        hub.now += Interval(milliseconds: 1 << 40)
        dock.step()
        #expect(dock.slots.map(\.doneCount) == [1])
        #expect(dock.isIdle)
    }

    @Test func `a cable that is pulled during a fetch is reported and the fetch is completed later`() throws {
        let dock = dock(.fetching)
        let board = try hub.plug("a", identity: 1, encounters: 40)
        hub.change("a") { $0.requestsUntilBreak = 20 }
        dock.step()
        #expect(dock.slots.map(\.state) == [.failed(.sync(.link(.gone(port: "pipe"))))])
        #expect(dock.slots.map(\.isUnfinished) == [true])
        #expect(dock.slots[0].fetchedByteCount > 0)
        hub.unplug("a")
        dock.step()
        hub.plug("a", board)
        dock.step()
        #expect(dock.slots.map(\.isUnfinished) == [false])
        #expect(dock.slots[0].fetchedByteCount == board.retainedByteCount)
        #expect(try archive.encounters().count == 40)
    }

    @Test func `a port without an answer is tried again at growing intervals`() throws {
        let dock = dock()
        _ = try hub.plug("a", identity: 1, encounters: 1)
        hub.change("a") { $0.tamper = { _, answer in answer = [] } }
        var attempts: [UInt64] = []
        for _ in 0..<200 {
            let before = hub.openCount
            dock.step()
            if hub.openCount > before { attempts.append(hub.now.milliseconds / 1_000) }
            hub.now += 1_000
        }
        #expect(attempts == [0, 2, 6, 14, 30, 62, 122, 182])
    }

    @Test func `a device that is not a Tabard board is reported`() throws {
        let dock = dock()
        _ = try hub.plug("a", identity: 1, encounters: 1)
        // The server answers echo requests, but it does not support group 64.
        hub.change("a") {
            $0.tamper = { request, answer in if request == 1 { answer = Self.refusal(of: answer) } }
        }
        dock.step()
        #expect(dock.slots.map(\.state) == [.failed(.otherServer(port: "a"))])
    }

    /// "Not supported", in place of an answer to a request for the board's status.
    private static func refusal(of answer: [UInt8]) -> [UInt8] {
        var decoder = SerialFrameDecoder<2050>()
        var position = 0
        guard decoder.receive(answer.span, position: &position) else { return [] }
        let sequence = decoder.frame[6]
        var refusal = SMPPacket(SMPHeader(.read, .boardStatus, sequence: sequence).response)
        var line = FixedBuffer<128>()
        try? refusal.append(cborMap: 1)
        try? refusal.append(key: "rc", unsigned: 8)
        try? SerialFrameEncoder.encode(refusal.span, into: &line)
        return (0..<line.count).map { line[$0] }
    }

    @Test func `a failure at one board does not affect the others`() throws {
        let dock = dock()
        _ = try hub.plug("a", identity: 1, encounters: 40)
        hub.change("a") { $0.requestsUntilBreak = 17 }
        _ = try hub.plug("b", identity: 2, encounters: 7)
        dock.step()
        #expect(dock.slots.map(\.doneCount) == [0, 1])
    }

    @Test func `with --once nothing is tried twice`() throws {
        var options = Dock.Options.trusting
        options.interval = nil
        options.retries = false
        let dock = dock(options)
        _ = try hub.plug("a", identity: 1, encounters: 40)
        hub.change("a") { $0.requestsUntilBreak = 17 }
        dock.step()
        #expect(dock.isIdle)
    }

    @Test func `all sessions stop on request`() throws {
        let dock = dock()
        _ = try hub.plug("a", identity: 1, encounters: 40)
        hub.change("a") { [hub] channel in
            channel.tamper = { request, _ in if request == 18 { hub.isStopping = true } }
        }
        dock.step()
        #expect(dock.slots.map(\.state) == [.failed(.sync(.stopped))])
        #expect(dock.slots[0].fetchedByteCount > 0)
    }

    /// Uses threads, real ports and an archive file.
    @Test func `many boards are fetched from at once`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "dock-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let archive = try Archive(path: file.path)
        let boards = try (1...6).map { number in
            let board = try ServedBoard(packetByteCount: 512, identity: UInt8(number))
            try board.record(30 + number)
            return board
        }
        let terminals = try boards.map { try PseudoTerminal(serving: $0) }
        defer { terminals.forEach { $0.stop() } }
        let sessions = DispatchGroup()
        let paths = terminals.map(\.path)
        let dock = Dock(
            archive: archive, options: .fetching, ports: { paths.map { PluggedPort(path: $0) } },
            open: { path throws(LinkError) in try SerialChannel(path: path) },
            start: { session in
                sessions.enter()
                Thread {
                    session()
                    sessions.leave()
                }.start()
            })
        dock.step()
        sessions.wait()
        #expect(dock.slots.map(\.doneCount) == [1, 1, 1, 1, 1, 1], "\(dock.slots)")
        for (number, board) in zip(1..., boards) {
            #expect(try archive.encounters().count { $0.board == board.identity } == 30 + number)
            let stored = try archive.segments(of: board.identity).map(\.byteCount)
            #expect(stored == board.segments().map(\.byteCount))
        }
    }

    @Test func `a board at two ports is fetched from through one at a time`() throws {
        let board = try hub.plug("a", identity: 1, encounters: 5)
        hub.plug("b", board)
        let isNested = Atomic(false)
        let hub = hub
        let inner = Mutex<(@Sendable () -> Void)?>(nil)
        let dock = Dock(
            archive: archive, ports: { hub.ports },
            open: { path throws(LinkError) in
                let channel = try hub.open(path)
                guard path == "a" else { return channel }
                channel.tamper = { request, _ in
                    // The session of the other port runs in the middle of this port's session.
                    guard request == 15, !isNested.exchange(true, ordering: .relaxed) else { return }
                    inner.withLock { $0 }?()
                }
                return channel
            },
            start: { session in
                let isFirst = inner.withLock { waiting in
                    defer { waiting = waiting ?? {} }
                    return waiting == nil
                }
                isFirst ? hub.later.withLock { $0 = session } : inner.withLock { $0 = session }
            }, clock: { hub.now })
        dock.step()
        hub.later.withLock { $0 }?()
        #expect(dock.slots[0].doneCount == 1)
        #expect(dock.slots[1].state == .failed(.sameBoard(port: "b", other: "a")))
    }

    private func dock(_ options: Dock.Options = Dock.Options.trusting) -> Dock {
        let hub = hub
        return Dock(
            archive: archive, options: options, ports: { hub.ports },
            open: { path throws(LinkError) in try hub.open(path) }, shouldStop: { hub.isStopping },
            start: { $0() }, clock: { hub.now })
    }
}

/// A set of ports with boards plugged in. All calls run on one thread.
private final class Hub: @unchecked Sendable {
    var now = Instant.start
    var isStopping = false
    let later = Mutex<(@Sendable () -> Void)?>(nil)
    private(set) var openCount = 0
    private var plugged: [(port: PluggedPort, board: ServedBoard, change: (PipeChannel) -> Void)] = []
    private var count: UInt64 = 0

    var ports: [PluggedPort] { plugged.map(\.port) }

    func plug(_ path: String, identity: UInt8, encounters: Int) throws -> ServedBoard {
        let board = try ServedBoard(identity: identity)
        try board.record(encounters)
        plug(path, board)
        return board
    }

    func plug(_ path: String, _ board: ServedBoard) {
        unplug(path)
        count += 1
        plugged.append((PluggedPort(path: path, incarnation: [count]), board, { _ in }))
    }

    func unplug(_ path: String) { plugged.removeAll { $0.port.path == path } }

    func change(_ path: String, _ change: @escaping (PipeChannel) -> Void) {
        guard let index = plugged.firstIndex(where: { $0.port.path == path }) else { return }
        plugged[index].change = change
    }

    func open(_ path: String) throws(LinkError) -> PipeChannel {
        guard let place = plugged.first(where: { $0.port.path == path }) else { throw .gone(port: path) }
        openCount += 1
        let channel = PipeChannel(place.board)
        place.change(channel)
        return channel
    }
}
