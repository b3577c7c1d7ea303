import BoardLink
import BoardTestSupport
import Foundation
import Testing

/// Tests the real port over a pseudo-terminal, with a simulated board at the other end.
@Suite(.serialized) struct SerialChannelTests {
    @Test func `probing reports what is behind each port`() throws {
        let terminal = try PseudoTerminal(serving: try ServedBoard())
        defer { terminal.stop() }
        guard case .board(let index, let status) = SerialPorts.probe(terminal.path).finding else {
            Issue.record("no board was found")
            return
        }
        #expect(index.segments.count == 1)
        #expect(status.bootIdentifier == 7)
    }

    @Test func `a port in use is reported as busy`() throws {
        let terminal = try PseudoTerminal(serving: try ServedBoard())
        defer { terminal.stop() }
        let first = try SerialChannel(path: terminal.path)
        #expect(throws: LinkError.busy(port: terminal.path)) { try SerialChannel(path: terminal.path) }
        withExtendedLifetime(first) {}
    }

    @Test func `a missing port cannot be opened`() {
        #expect(throws: LinkError.cannotOpen(port: "/dev/nonexistent", code: ENOENT)) {
            try SerialChannel(path: "/dev/nonexistent")
        }
        #expect(throws: LinkError.cannotOpen(port: "/dev/null", code: ENOTTY)) {
            try SerialChannel(path: "/dev/null")
        }
    }

    @Test func `candidates are devices and each occurs once`() throws {
        let terminal = try PseudoTerminal(serving: try ServedBoard())
        defer { terminal.stop() }
        let found = SerialPorts.candidates(given: [
            terminal.path, terminal.path, "/etc/passwd", "/nonexistent",
        ])
        #expect(found.filter { $0 == terminal.path }.count == 1)
        #expect(!found.contains("/etc/passwd") && !found.contains("/nonexistent"))
    }

    @Test func `a pattern finds ports, and another board under the same name counts as another port`() throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ports-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pattern = folder.path + "/board*"
        #expect(SerialPorts.plugged(matching: [pattern]).isEmpty)
        let first = try PseudoTerminal(serving: try ServedBoard())
        defer { first.stop() }
        let second = try PseudoTerminal(serving: try ServedBoard())
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
