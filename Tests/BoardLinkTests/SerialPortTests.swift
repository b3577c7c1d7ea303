import Archive
import BoardLink
import CLinux
import Foundation
import Testing

/// Tests the real port over a pseudo-terminal, with a simulated board at the other end.
@Suite(.serialized) struct SerialPortTests {
    @Test func aBoardIsSynchronisedOverAPseudoTerminal() throws {
        let board = try SimulatedBoard(packetByteCount: 2048)
        try board.record(200)
        let terminal = try PseudoTerminal(serving: board)
        defer { terminal.stop() }
        let archive = try Archive(inMemoryNamed: "test")

        let client = BoardClient(try SerialPort(path: terminal.path))
        let summary = try Synchroniser(client: client, archive: archive).run()
        #expect(summary.fetchedByteCount > 10_000)
        #expect(try archive.encounters().count == 200)
    }

    @Test func probingSaysWhatIsThere() throws {
        let terminal = try PseudoTerminal(serving: try SimulatedBoard())
        defer { terminal.stop() }
        guard case .board(let index, let status) = SerialPorts.probe(terminal.path).finding else {
            Issue.record("no board was found")
            return
        }
        #expect(index.segments.count == 1)
        #expect(status.bootIdentifier == 7)
    }

    @Test func aPortInUseIsBusy() throws {
        let terminal = try PseudoTerminal(serving: try SimulatedBoard())
        defer { terminal.stop() }
        let first = try SerialPort(path: terminal.path)
        #expect(throws: LinkError.busy(port: terminal.path)) { try SerialPort(path: terminal.path) }
        withExtendedLifetime(first) {}
    }

    @Test func aPortThatIsNotThereCannotBeOpened() {
        #expect(throws: LinkError.cannotOpen(port: "/dev/nonexistent", code: ENOENT)) {
            try SerialPort(path: "/dev/nonexistent")
        }
        #expect(throws: LinkError.cannotOpen(port: "/dev/null", code: ENOTTY)) {
            try SerialPort(path: "/dev/null")
        }
    }

    @Test func candidatesAreDevicesAndComeOnce() throws {
        let terminal = try PseudoTerminal(serving: try SimulatedBoard())
        defer { terminal.stop() }
        let found = SerialPorts.candidates(given: [
            terminal.path, terminal.path, "/etc/passwd", "/nonexistent",
        ])
        #expect(found.filter { $0 == terminal.path }.count == 1)
        #expect(!found.contains("/etc/passwd") && !found.contains("/nonexistent"))
    }

    @Test func aPatternFindsPortsAndAnotherBoardUnderTheSameNameIsAnotherPort() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ports-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pattern = folder.path + "/board*"
        #expect(SerialPorts.plugged(matching: [pattern]).isEmpty)
        let first = try PseudoTerminal(serving: try SimulatedBoard())
        defer { first.stop() }
        let second = try PseudoTerminal(serving: try SimulatedBoard())
        defer { second.stop() }
        let link = folder.path + "/board1"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: first.path)
        let before = SerialPorts.plugged(matching: [pattern])
        #expect(before.map(\.path) == [link])
        #expect(SerialPorts.plugged(matching: [pattern]) == before)
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: second.path)
        let after = SerialPorts.plugged(matching: [pattern])
        #expect(after.map(\.path) == [link] && after != before)
    }
}

/// The controlling side of a pseudo-terminal, served by its own thread until it is stopped.
final class PseudoTerminal: @unchecked Sendable {
    let path: String
    private let descriptor: Int32
    private let otherSide: Int32
    private let board: SimulatedBoard
    private let stopped = DispatchSemaphore(value: 0)
    private let lock = NSLock()
    private var isStopping = false

    init(serving board: SimulatedBoard) throws {
        var name = [CChar](repeating: 0, count: 128)
        var other: Int32 = -1
        let opened = clinux_pseudo_terminal(&name, name.count, &other)
        guard opened >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: -opened) ?? .EIO) }
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        descriptor = opened
        otherSide = other
        self.board = board
        Thread { [self] in pump() }.start()
    }

    func stop() {
        lock.withLock { isStopping = true }
        stopped.wait()
        _ = clinux_close(descriptor)
        _ = clinux_close(otherSide)
    }

    private func pump() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while !lock.withLock({ isStopping }) {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 20) > 0 else { continue }
            let count = clinux_read(descriptor, &bytes, bytes.count)
            guard count > 0 else { continue }
            send(board.answer(Array(bytes.prefix(Int(count)))))
        }
        stopped.signal()
    }

    private func send(_ answer: [UInt8]) {
        var sent = 0
        while sent < answer.count, !lock.withLock({ isStopping }) {
            let count = answer.withUnsafeBytes {
                clinux_write(descriptor, $0.baseAddress.map { $0 + sent }, $0.count - sent)
            }
            if count > 0 { sent += Int(count) }
        }
    }
}
