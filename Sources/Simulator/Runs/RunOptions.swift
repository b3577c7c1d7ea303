import FlashSimulator

/// All differences between runs, drawn from the seed. This is swarm testing: features that are never
/// combined are never tested together.
public struct RunOptions: Sendable {
    public let seed: UInt64
    public var duration = SimulatedDuration.hours(1)
    public var transport = HCITransport.Kind.packets
    public var phoneCount = 1
    /// The number of devices that do not take part.
    public var unsupportedPeerCount: UInt64 = 0
    public var blockByteCount = 1_024
    public var blocksPerSegment = 8
    public var segmentCount = 16
    public var isSealed = false
    public var lossWindowSeconds: UInt64 = 60
    public var gapSeconds: UInt64 = 30
    public var sampleSeconds: UInt64 = 8
    public var peerCount: UInt64 = 256
    public var hostCount = 1
    public var interference = 0.0
    public var driftPPM: Int64 = 0
    public var knowsWallTime = true
    public var hasRadioPower = true
    /// The options that differ from most worlds.
    public var world: Set<WorldOption> = []
    public var retentionDays: UInt64 = 0
    /// The kinds of fault, each with the mean pause between two occurrences in seconds.
    public var faults: [(kind: FaultKind, pauseSeconds: UInt64)] = []

    public static let leastFaultKinds = 3
    public static let mostFaultKinds = 8
    /// The same for the kinds that came later, which are added.
    private static let mostLaterFaultKinds = 3

    public init(seed: UInt64) {
        self.seed = seed
        var random = RandomStream(seed: seed).split("options")
        transport = random.chance(0.5) ? .packets : .stream
        phoneCount = Int(random.below(5))
        unsupportedPeerCount = random.chance(0.3) ? random.below(12) : random.below(3)
        blockByteCount = [256, 512, 1_024, 1_024, 4_096][Int(random.below(5))]
        blocksPerSegment = Int(4 + random.below(13))
        segmentCount = Int(4 + random.below(29))
        lossWindowSeconds = [5, 20, 60, 120, 300][Int(random.below(5))]
        gapSeconds = 10 + random.below(21)
        sampleSeconds = 1 + random.below(min(gapSeconds, lossWindowSeconds, 15))
        peerCount = [64, 256, 1_024][Int(random.below(3))]
        hostCount = Int(random.below(3))
        interference = random.chance(0.3) ? Double(random.below(30)) / 100 : 0
        driftPPM = random.chance(0.5) ? Int64(random.below(400)) - 200 : 0
        knowsWallTime = random.chance(0.6)
        hasRadioPower = random.chance(0.7)
        drawFaults(&random)
        // This has a stream of its own, so that other draws of a seed stay the same.
        var draw = RandomStream(seed: seed).split("sealed")
        isSealed = blockByteCount >= 1_024 && draw.chance(0.8)
        var worldDraw = RandomStream(seed: seed).split("worlds")
        world = WorldOption.draw(&worldDraw)
        var laterDraw = RandomStream(seed: seed).split("later worlds")
        world.formUnion(WorldOption.drawLater(&laterDraw, besides: world))
        var controllerDraw = RandomStream(seed: seed).split("stricter controllers")
        world.formUnion(WorldOption.drawController(&controllerDraw, besides: world))
        var mediumDraw = RandomStream(seed: seed).split("media")
        world.formUnion(WorldOption.drawMedium(&mediumDraw))
        // In a world with extended commands, extended reports are correct.
        if faults.contains(where: { $0.kind == .radio(.extendedReports) }) { world.remove(.extendedCommands) }
        var claimDraw = RandomStream(seed: seed).split("claims")
        world.formUnion(WorldOption.drawClaim(&claimDraw, besides: world))
        if has(.retention) {
            retentionDays = [1, 7, 28][Int(worldDraw.below(3))]
            knowsWallTime = true
        }
        replaceIdleFaults()
        drawLaterFaults()
    }

    public func has(_ option: WorldOption) -> Bool { world.contains(option) }

    /// The factor on the requested run length. Retention needs more time, because the agent checks it once
    /// an hour.
    public var lengthFactor: UInt64 { has(.retention) ? 3 : 1 }

    /// The options in the order of their definition.
    private var sortedWorld: [WorldOption] { WorldOption.allCases.filter(has) }

    private mutating func drawFaults(_ random: inout RandomStream) {
        var kinds = FaultKind.earlier.filter { transport == .stream || $0 != .radio(.corruptedStream) }
        let range = UInt64(Self.mostFaultKinds - Self.leastFaultKinds + 1)
        for _ in 0..<Self.leastFaultKinds + Int(random.below(range)) {
            let kind = kinds.remove(at: Int(random.below(UInt64(kinds.count))))
            faults.append((kind, [180, 400, 700][Int(random.below(3))]))
        }
    }

    /// Adds faults of the kinds that came later. Their own stream keeps the earlier draws of each seed.
    private mutating func drawLaterFaults() {
        var random = RandomStream(seed: seed).split("later faults")
        var kinds = FaultKind.later.filter(canAct)
        for _ in 0..<random.below(UInt64(Self.mostLaterFaultKinds) + 1) where !kinds.isEmpty {
            let kind = kinds.remove(at: Int(random.below(UInt64(kinds.count))))
            faults.append((kind, [180, 400, 700][Int(random.below(3))]))
        }
    }

    /// Replaces faults that can have no effect in this world by ones that can. This has a stream of its
    /// own, so that other draws of a seed stay the same.
    private mutating func replaceIdleFaults() {
        var random = RandomStream(seed: seed).split("faults that can act")
        for index in faults.indices where !canAct(faults[index].kind) {
            let others = FaultKind.earlier.filter { kind in
                canAct(kind) && !faults.contains { $0.kind == kind }
            }
            faults[index].kind = others[Int(random.below(UInt64(others.count)))]
        }
    }

    /// The value of `radio.give_up_minutes`.
    var giveUpMinutes: UInt64 { has(.longRadioFaults) ? 2 : 10 }

    /// The agent's settings, as on the command line.
    var agentOptions: [String] {
        [
            "herald.location=123456", "log.loss_window_seconds=\(lossWindowSeconds)",
            "encounters.gap_seconds=\(gapSeconds)", "encounters.sample_seconds=\(sampleSeconds)",
            "encounters.peers=\(peerCount)",
            "log.retention_days=\(retentionDays)", "radio.give_up_minutes=\(giveUpMinutes)",
        ] + sortedWorld.compactMap(\.setting) + (keepsTwoLinks ? ["encounters.links=2"] : [])
    }

    /// Whether the agent gets only two link slots. The default number of links is seldom in use at the same
    /// time.
    var keepsTwoLinks: Bool {
        has(.dropsWeakestLink) && !has(.keepsOneLink) && !has(.keepsSixteenLinks)
    }

    var boardSetup: BoardSetup {
        var setup = BoardSetup()
        setup.options = agentOptions
        setup.transport = transport
        setup.blockByteCount = blockByteCount
        setup.blocksPerSegment = blocksPerSegment
        setup.segmentCount = segmentCount
        setup.isOverwritable = has(.overwritableMedium)
        setup.isSealed = isSealed
        setup.driftPPM = driftPPM
        setup.hasRadioPower = hasRadioPower
        for option in sortedWorld { option.change(&setup.controller) }
        if has(.sonarOn) || has(.covidTracerOn) {
            setup.provideSchemes(drawnFrom: RandomStream(seed: seed).split("secrets"))
        }
        return setup
    }
}

extension RunOptions: CustomStringConvertible {
    public var description: String {
        let world = world.isEmpty ? "as most" : sortedWorld.map(\.rawValue).joined(separator: " ")
        let faults = faults.map { "\($0.kind)/\($0.pauseSeconds)s" }.joined(separator: " ")
        return """
            \(duration.milliseconds / 1_000) s, transport \(transport), \(phoneCount) phones, \(unsupportedPeerCount) strangers, \
            flash \(blockByteCount)×\(blocksPerSegment)×\(segmentCount) \(isSealed ? "sealed" : "in clear"), loss window \(lossWindowSeconds) s, \
            gap \(gapSeconds) s, sample \(sampleSeconds) s, \(peerCount) peers, \(hostCount) hosts, \
            interference \(interference), drift \(driftPPM) ppm, wall time \(knowsWallTime ? "known" : "unknown"), \
            radio power \(hasRadioPower ? "switchable" : "fixed"), \
            retention \(retentionDays) days, world: \(world), faults: \(faults)
            """
    }
}
