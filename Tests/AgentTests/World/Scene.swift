import Agent
import Configuration
import DeviceSync
import EncounterLog
import FixedMemory
import HCI
import Schemes
import TestSupport

@testable import Radio

/// The whole agent in a ``World``.
struct Scene: ~Copyable {
    let world: World
    var agent: Agent<TestPlatform>
    private(set) var hasEnded = false

    var controller: TestController { world.controller }

    /// Starts an agent with `options` as on the command line. A test of a power cut passes the earlier
    /// `world`.
    init(_ options: String..., in world: World = World(), boot: UInt64 = 7) throws {
        try self.init(options: options, in: world, boot: boot)
    }

    init(options: [String], in world: World = World(), boot: UInt64 = 7) throws {
        var configuration = EffectiveConfiguration()
        for option in ["herald.location=123456"] + options {
            try configuration.apply(Array(option.utf8).span, from: .file(line: 1))
        }
        let changes = world.configurationChanges
        try configuration.readChanges(changes.span)
        try configuration.validate()
        var identity = Bytes<16>()
        identity[0] = 0xab
        let log = try EncounterLog(
            mounting: TestFlash(medium: world.medium), newLogIdentity: identity, bootIdentifier: boot,
            seal: world.keys?.logSeal(entropy: .system))
        var version = Bytes<3>()
        version[1] = 1
        var settings = try AgentSettings(
            configuration.values, logIdentity: log.logIdentity, softwareVersion: version)
        settings.keys = world.keys
        if configuration.values.schemes.sonar == .on { settings.schemes.sonar = world.sonarRegistration }
        settings.configuration = configuration
        agent = try Agent(
            settings: settings, clock: TestClock(world: world), board: TestBoard(world: world),
            radio: TestRadio(world), serial: TestSerial(port: world.port), random: TestRandom(),
            log: log)
        self.world = world
    }

    /// Lets the agent work until nothing is left to do at this moment.
    mutating func settle() {
        for _ in 0..<200 {
            guard let next = agent.step() else {
                hasEnded = true
                return
            }
            world.controller.tick(world.now | 1)
            if next > world.now, world.controller.toHost.isEmpty { return }
        }
    }

    /// Runs for `milliseconds`, in steps of `tick` milliseconds.
    mutating func run(milliseconds: UInt64, tick: UInt64 = 10) {
        let end = world.now + milliseconds
        while world.now < end, !hasEnded {
            world.now += tick
            world.controller.tick(world.now)
            settle()
        }
    }

    /// Runs until `isDone`, a minute at most.
    /// - Returns: whether `isDone` became true.
    @discardableResult
    mutating func run(until isDone: (World) -> Bool) -> Bool {
        for _ in 0..<6_000 {
            if isDone(world) { return true }
            run(milliseconds: 10)
        }
        return isDone(world)
    }

    /// Runs without traffic on the air: time jumps to the agent's next deadline.
    mutating func runAlone(milliseconds: UInt64) {
        let end = world.now + milliseconds
        while world.now < end {
            guard let next = agent.step() else {
                hasEnded = true
                return
            }
            if world.controller.toHost.isEmpty { world.now = min(max(next, world.now), end) }
        }
    }

    var radioStatus: RadioStatus { agent.radioStatus }
    var ending: AgentEnding? { agent.ending }
    var sealCounters: SealCounters { agent.sealCounters }

    mutating func stop() {
        world.isStopRequested = true
        settle()
    }

    /// Sends a request over the sync line, and returns the answer.
    mutating func ask(_ request: SMPPacket) throws -> [UInt8] {
        var line = FixedBuffer<4096>()
        try SerialFrameEncoder.encode(request.span, into: &line)
        world.port.fromBoard = []
        world.port.toBoard += line.span.array
        for _ in 0..<20 where !world.port.fromBoard.contains(0x0a) || !world.port.toBoard.isEmpty {
            run(milliseconds: 10)
        }
        run(milliseconds: 10)
        var decoder = SerialFrameDecoder<2050>()
        var position = 0
        let answer = world.port.fromBoard
        guard decoder.receive(answer.span, position: &position) else { return [] }
        return decoder.frame.array
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
