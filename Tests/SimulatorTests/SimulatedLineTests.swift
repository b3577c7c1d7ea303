import Testing

@testable import Simulator

/// A line without a host at its other end.
@Suite struct SimulatedLineTests {
    private static let bytes = [UInt8](repeating: 7, count: 3_000)

    @Test func `bytes written to a line that was hung up are lost`() {
        let line = SimulatedLine()
        line.faults.isHungUp = true
        #expect(line.write(Self.bytes) == Self.bytes.count && line.write(Self.bytes) == Self.bytes.count)
        line.faults.isHungUp = false
        #expect(line.takeOutput() == [])
    }

    @Test func `bytes written to a line without a reader wait until its buffer is full`() {
        let line = SimulatedLine()
        line.faults.isLeft = true
        let taken = line.write(Self.bytes) + line.write(Self.bytes)
        #expect(taken > Self.bytes.count && taken < 2 * Self.bytes.count)
        #expect(line.write(Self.bytes) == 0)
        #expect(line.takeOutput() == [], "nobody is there")
        line.faults.isLeft = false
        #expect(line.takeOutput().count == taken)
    }

    /// A host at a board that has had five minutes to fill its log.
    private static func idleHost() -> (World, SimulatedBoard, SyncingHost) {
        let world = World(seed: 1)
        let board = SimulatedBoard("board", in: world)
        let host = SyncingHost("operator", at: board.line, in: world)
        host.isIdle = true
        board.powerOn()
        world.run(for: .minutes(5))
        return (world, board, host)
    }

    /// The next session of a host finds the answers to the previous one.
    @Test func `a host that receives leftover answers still fetches the log`() {
        let (world, board, host) = Self.idleHost()
        host.begin()
        // The host has sent a request. The answer arrives after it has left.
        board.line.faults.isLeft = true
        world.run(for: .minutes(1))
        #expect(!board.line.fromBoard.isEmpty && host.finishedSessionCount == 0)
        host.begin()
        world.run(for: .minutes(1))
        #expect(host.finishedSessionCount == 1)
        world.end()
    }

    @Test func `a port that vanished transfers nothing and loses its contents`() {
        let line = SimulatedLine()
        line.send(Self.bytes)
        #expect(line.write(Self.bytes) == Self.bytes.count)
        line.faults.isGone = true
        #expect(line.read(atMost: 512) == [] && line.write(Self.bytes) == 0)
        line.send(Self.bytes)
        #expect(line.takeOutput() == [])
        line.faults.isGone = false
        #expect(line.read(atMost: 512) == [] && line.takeOutput() == [])
        #expect(line.write(Self.bytes) == Self.bytes.count)
    }

    /// The rest of the answer goes to the next host.
    @Test func `a host fetches the log after the port vanished during an answer and returned`() {
        let (world, board, host) = Self.idleHost()
        board.line.faults.longestPiece = 7
        host.begin()
        #expect(
            world.run(atMost: .minutes(1)) { host.acknowledgedByteCount > 0 || !board.line.fromBoard.isEmpty }
        )
        board.line.faults.isGone = true
        world.run(for: .minutes(1))
        host.begin()
        #expect(host.finishedSessionCount == 0)
        board.line.faults = LineFaults()
        host.begin()
        world.run(for: .minutes(1))
        #expect(host.finishedSessionCount == 1)
        world.end()
    }
}
