import Agent
import DeviceSync
import EncounterLog
import FixedMemory
import Simulator
import Testing

@Suite struct ConfigurationTests {
    private func ask(_ board: SimulatedBoard, _ request: SMPPacket, _ world: World) throws -> [UInt8] {
        var line = FixedBuffer<4096>()
        try SerialFrameEncoder.encode(request.span, into: &line)
        let bytes = (0..<line.count).map { line[$0] }
        board.line.send(bytes)
        world.run(for: .milliseconds(300))
        var decoder = SerialFrameDecoder<2050>()
        let output = board.line.takeOutput()
        var position = 0
        guard decoder.receive(output.span, position: &position) else { return [] }
        let frame = decoder.frame
        return frame.indices.map { frame[$0] }
    }

    /// The board restarts its agent itself, without the operating system's restart of an ended agent.
    @Test func `a board that was configured over the cable restarts at once with the new configuration`()
        throws
    {
        let world = World(seed: 5)
        var setup = BoardSetup()
        setup.restartDelay = nil
        let board = SimulatedBoard("board", setup, in: world)
        board.powerOn()
        world.run(for: .seconds(2))
        let text = Array("encounters.raw=true".utf8)
        let set = try SyncRequest.setConfiguration(text.span, sequence: 1)
        let answer = try ask(board, set, world)
        let restarts = try SyncResponse(answer.span, to: set).restarts()
        #expect(restarts)
        #expect(board.startCount == 1)
        world.run(for: .seconds(3))
        #expect(board.startCount == 2)
        #expect(board.state == .running)

        let path = Array("/config".utf8)
        let read = try SyncRequest.download(path: path.span, offset: 0, sequence: 2)
        let listing = try ask(board, read, world)
        let words = String(decoding: listing, as: UTF8.self)
        #expect(words.contains("raw = true  # over the cable"))

        // The change is stored on the medium.
        board.cutPower()
        world.run(for: .seconds(1))
        board.powerOn()
        world.run(for: .seconds(2))
        let again = try ask(board, read, world)
        #expect(String(decoding: again, as: UTF8.self).contains("raw = true  # over the cable"))
    }
}
