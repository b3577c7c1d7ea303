import Agent
import DeviceSync
import EncounterLog
import FixedMemory
import HCI
import Radio
import Simulator
import TestSupport

/// The whole agent on a board in a ``BoardWorld``.
struct Scene: ~Copyable {
    let world: BoardWorld

    var controller: SimulatedController { world.controller }
    var script: ScriptedBehaviour { world.script }

    /// Starts an agent with `options` as on the command line. A test of a restart passes the earlier
    /// `world`.
    init(_ options: String..., in world: BoardWorld = BoardWorld(), boot: UInt64 = 7) throws {
        try self.init(options: options, in: world, boot: boot)
    }

    init(options: [String], in world: BoardWorld = BoardWorld(), boot: UInt64 = 7) throws {
        self.world = world
        try world.start(["herald.location=123456"] + options, boot: boot)
    }

    /// The phones that advertise.
    var phones: [ScriptedPhone] {
        get { world.phones }
        nonmutating set { world.phones = newValue }
    }

    /// Lets the agent and its controller finish what they have begun.
    mutating func settle() { run(milliseconds: 60) }

    mutating func run(milliseconds: UInt64) { world.room.run(for: .milliseconds(milliseconds)) }

    /// Runs until `isDone`, a minute at most.
    /// - Returns: whether `isDone` became true.
    @discardableResult
    mutating func run(until isDone: (BoardWorld) -> Bool) -> Bool {
        let world = world
        return world.room.run(atMost: .minutes(1)) { isDone(world) }
    }

    var radioStatus: RadioStatus {
        guard let status = world.board.radioStatus ?? world.board.lastRadioStatus else {
            preconditionFailure("no agent was started")
        }
        return status
    }

    var sealCounters: SealCounters {
        guard let counters = world.board.sealCounters ?? world.board.lastSealCounters else {
            preconditionFailure("no agent was started")
        }
        return counters
    }

    var hasEnded: Bool { world.board.state == .ended }
    var ending: AgentEnding? { world.board.ending }

    mutating func stop() {
        world.board.stop()
        settle()
    }

    /// Sends a request over the sync line, and returns the answer. It is empty if none comes in time.
    mutating func ask(_ request: SMPPacket, atMost limit: Interval = 1_000) throws -> [UInt8] {
        let port = world.board.line
        var line = FixedBuffer<4096>()
        try SerialFrameEncoder.encode(request.span, into: &line)
        _ = port.takeOutput()
        port.send(line.span.array)
        var decoder = SerialFrameDecoder<2050>()
        for _ in 0..<limit / 10 {
            run(milliseconds: 10)
            let output = port.takeOutput()
            var position = 0
            if decoder.receive(output.span, position: &position) { return decoder.frame.array }
        }
        return []
    }

    mutating func boardStatus() throws -> BoardStatus {
        let request = SyncRequest.boardStatus(sequence: 4)
        let answer = try ask(request)
        return try SyncResponse(answer.span, to: request).boardStatus()
    }

    /// Downloads a whole file.
    mutating func fetch(_ path: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let name = Array(path.utf8)
            let request = try SyncRequest.download(
                path: name.span, offset: UInt64(bytes.count), sequence: 1)
            let answer = try ask(request)
            let chunk = try SyncResponse(answer.span, to: request).download()
            if chunk.data.isEmpty { return bytes }
            bytes += chunk.data.array
        }
    }
}
