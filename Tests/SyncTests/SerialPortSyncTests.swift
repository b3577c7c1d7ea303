import Archive
import BoardLink
import BoardTestSupport
import Sync
import Testing

@Suite struct SerialPortSyncTests {
    @Test func `a board is synchronised over a pseudo-terminal`() throws {
        let board = try ServedBoard(packetByteCount: 2048)
        try board.record(200)
        let terminal = try PseudoTerminal(serving: board)
        defer { terminal.stop() }
        let archive = try Archive(inMemoryNamed: "test")

        let client = BoardClient(try SerialChannel(path: terminal.path))
        let summary = try Synchroniser(client: client, archive: archive, options: .trusting).run()
        #expect(summary.fetchedByteCount > 10_000)
        #expect(try archive.encounters().count == 200)
    }
}
