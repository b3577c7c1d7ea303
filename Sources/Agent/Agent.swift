import Configuration
import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import HCI
import Peers
import Protocols
import Radio
import Schemes

/// The agent: one thread, one loop. Each ``step()`` takes in what has come, does what is due and returns when to be
/// called again at the latest. It never waits and, once made, takes no more memory.
public struct Agent<P: Platform>: ~Copyable {
    let clock: P.Clock
    var board: P.Board
    var radio: P.Radio
    var serial: P.Serial
    var random: P.Randomness
    var settings: AgentSettings
    /// Those in force.
    public internal(set) var keys: BoardKeys?

    /// A wearable's; nil for a beacon, which is always the same.
    var identity: IdentityKeeper?
    var schemes: SchemeKeeper
    var rootMaker: RootMaker?
    let isBeacon: Bool
    var loggedSchemes = OwnSchemes()
    var loggedExposureKey: TemporaryExposureKey?
    /// The address of whom the log says that we are; nil: nobody.
    var loggedAddress: DeviceAddress?
    /// The count of devices with the board's payload at the last notice, and when the next notice may be.
    var reportedDuplicateIdentities: UInt32 = 0
    var nextDuplicateIdentityNoticeMilliseconds: UInt64 = 0
    var controller: RadioController
    var supervisor: RadioSupervisor
    var health = RadioHealth()
    var nextHealthCheckMilliseconds: UInt64 = 0
    /// The radio is up: the agent reports it when the radio scans or advertises, or at this time.
    var upNoticeMilliseconds: UInt64?
    var recorder: Recorder
    var store: LogStore<P.Flash, P.Clock>
    var sync = SyncServer()
    /// Stored, and to be answered when the log is sealed with them.
    var keysToAnswer: BoardPublicKeys?
    var coverage: CoverageKeeper
    private var nextAnchorMilliseconds: UInt64
    private var retention: RetentionKeeper
    /// When to look for encounters and samples that have ended: not at each wake, for it goes through all of them.
    private var nextSweepMilliseconds: UInt64 = 0
    private var lastStepMilliseconds: UInt64
    var lastInputMilliseconds: UInt64 = 0
    private var hasReportedFailure = false
    /// What is being erased because somebody asked.
    var erasure: Erasure?
    /// The configuration was changed: when to end for it. Until then the answer is on its way.
    var restartMilliseconds: UInt64?
    /// Why ``step()`` returned nil; nil while the agent runs.
    public internal(set) var ending: AgentEnding?

    private static var anchorIntervalMilliseconds: UInt64 { 600_000 }
    /// Steps come at least this often while there is nothing to do.
    private static var tickMilliseconds: UInt64 { 100 }
    /// And this often while there is nobody to keep account of.
    private static var idleTickMilliseconds: UInt64 { 1_000 }
    /// A board that was not asleep has called by now, however busy it is.
    private static var absenceMilliseconds: UInt64 { 3_000 }

    public init(
        settings: AgentSettings, clock: P.Clock, board: P.Board, radio: consuming P.Radio,
        serial: consuming P.Serial, random: P.Randomness, log: consuming EncounterLog<P.Flash>
    ) throws(MemoryError) {
        var random = random
        let recorder = try Recorder(settings: settings.recorder, hashSeed: random.next())
        let name: StaticString = "Tabard"
        var deviceName = FixedBuffer<16>()
        try? deviceName.append(name)
        let randomSeed = random.next() | 1
        let isBeacon = settings.role == .beacon
        let address =
            isBeacon ? settings.radio.address : DeviceAddress.privateRandom(seed: random.next())
        let controller = try RadioController(
            settings: settings.radio, policy: settings.policy,
            identity: OwnIdentity(address: address, payload: settings.payload), deviceName: deviceName.span,
            sonarSecret: settings.schemes.sonar.map { $0.secret }, entropy: random.entropy,
            randomSeed: randomSeed)
        let now = clock.monotonicMilliseconds
        let bootIdentifier = log.bootIdentifier
        let logIdentity = log.logIdentity
        let segmentCount = log.geometry.segmentCount
        let foundStaleBlocks = log.foundStaleBlocks
        var store = LogStore(
            keeper: LogKeeper(log: log, lossWindowMilliseconds: settings.lossWindowMilliseconds),
            clock: clock)
        store.status.logIdentity = logIdentity
        store.status.bootIdentifier = bootIdentifier
        store.status.softwareVersion = settings.softwareVersion
        store.publicKeys = settings.keys?.publicHalves
        store.keeper.append(
            .boot(
                BootEntry(
                    bootIdentifier: bootIdentifier, monotonicMilliseconds: now,
                    softwareVersion: settings.softwareVersion,
                    sampleMilliseconds: UInt32(truncatingIfNeeded: settings.recorder.sampleMilliseconds),
                    gapMilliseconds: UInt32(truncatingIfNeeded: settings.recorder.gapMilliseconds),
                    lossWindowMilliseconds: UInt32(truncatingIfNeeded: settings.lossWindowMilliseconds),
                    role: settings.role)), nowMilliseconds: now)
        // There is room for the longest.
        try? settings.configuration.write(to: &store.listing)
        store.appendConfiguration(settings, nowMilliseconds: now)
        self.settings = settings
        keys = settings.keys
        self.clock = clock
        self.board = board
        self.radio = radio
        self.serial = serial
        self.random = random
        identity = settings.wearable.map { IdentityKeeper($0) }
        schemes = SchemeKeeper(
            settings.schemes, txPowerDBm: settings.radio.transmitPower.dBm, entropy: random.entropy)
        self.isBeacon = isBeacon
        self.controller = controller
        self.recorder = recorder
        self.store = store
        supervisor = RadioSupervisor(giveUpMinutes: settings.giveUpMinutes, nowMilliseconds: now)
        coverage = CoverageKeeper(nowMilliseconds: now)
        nextAnchorMilliseconds = now
        lastStepMilliseconds = now
        retention = RetentionKeeper(
            days: settings.retentionDays, segmentCount: segmentCount, nowMilliseconds: now)
        if foundStaleBlocks { self.board.report(.staleBlocksFound) }
    }

    /// Does a bounded amount of work.
    /// - Returns: when to call again at the latest, in monotonic milliseconds; nil when the agent has ended.
    public mutating func step() -> UInt64? {
        let now = clock.monotonicMilliseconds
        noteAbsence(nowMilliseconds: now)
        guard ending == nil, !board.isStopRequested else {
            if ending == nil {
                ending = .stopped
                stop(nowMilliseconds: now)
            }
            return nil
        }
        anchorIfDue(nowMilliseconds: now)
        keepIdentity(nowMilliseconds: now)
        let isRadioBusy = serveRadio(nowMilliseconds: now)
        guard ending == nil else {
            stop(nowMilliseconds: now)
            return nil
        }
        if now >= nextSweepMilliseconds {
            nextSweepMilliseconds = now + Self.tickMilliseconds
            recorder.advance(nowMilliseconds: now)
            reportDuplicateIdentities(nowMilliseconds: now)
        }
        let isCoverageDue = store.keeper.isCoverageDue(nowMilliseconds: now)
        keepCoverage(isWanted: isCoverageDue, nowMilliseconds: now)
        store.keeper.advance(recorder: &recorder, nowMilliseconds: now)
        keepRetention(nowMilliseconds: now)
        let isPreparing = store.keeper.isPreparing(nowMilliseconds: now)
        if isPreparing { store.keeper.prepare(nowMilliseconds: now) }
        // One slice in a step.
        let isMaking = schemes.hasWork
        if isMaking, !isPreparing { schemes.work() }
        let isMakingRoot = isMakingRoot(nowMilliseconds: now)
        if isMakingRoot, !isPreparing, !isMaking { makeRoot(nowMilliseconds: now) }
        reportLogFailure()
        serveSync(isBusy: isPreparing || isMaking || isMakingRoot, nowMilliseconds: now)
        if let restart = restartMilliseconds, now >= restart {
            ending = .configured
            stop(nowMilliseconds: now)
            return nil
        }
        if isRadioBusy || sync.hasWork || erasure != nil || controller.hasImmediateWork || isPreparing
            || isMaking
            || isMakingRoot
        {
            return now
        }
        let tick = now + (isIdle ? Self.idleTickMilliseconds : Self.tickMilliseconds)
        let deadline = min(schemes.deadlineMilliseconds, identity?.deadlineMilliseconds ?? .max)
        return min(min(tick, controller.nextTurnMilliseconds(after: now)), deadline)
    }

    private var isIdle: Bool {
        supervisor.isSteady && controller.isAtRest && recorder.peers.newest(.tentative) == nil
            && recorder.peers.newest(.confirmed) == nil
            && store.keeper.log.oldestOpenEntryMilliseconds == nil
    }

    /// What the recorder has counted since the agent started.
    public var counters: RecorderCounters { recorder.counters }

    public var radioStatus: RadioStatus { supervisor.status }

    public var sealCounters: SealCounters { store.keeper.log.sealCounters }

    // MARK: Time and coverage

    private mutating func anchorIfDue(nowMilliseconds now: UInt64) {
        guard now >= nextAnchorMilliseconds else { return }
        nextAnchorMilliseconds = now + Self.anchorIntervalMilliseconds
        guard let reading = clock.wallClock else { return }
        store.keeper.append(
            .anchor(
                AnchorEntry(
                    monotonicMilliseconds: now, wallClockMilliseconds: reading.milliseconds,
                    errorMilliseconds: reading.errorMilliseconds, source: .systemClock)), nowMilliseconds: now
        )
    }

    /// Nobody called for a while: the board was asleep, or the process stopped. What came meanwhile is late, and some of it lost.
    private mutating func noteAbsence(nowMilliseconds now: UInt64) {
        if now > lastStepMilliseconds + Self.absenceMilliseconds { endCoverage(nowMilliseconds: now) }
        lastStepMilliseconds = now
    }

    /// `isWanted`: whatever is known is to be said, for it is about to be committed or read. While the medium takes nothing it
    /// waits, for pieces would fill what room there is in memory.
    mutating func keepCoverage(isWanted: Bool, nowMilliseconds now: UInt64) {
        let isGap = health.isGap(
            controller.statistics, scanStartMilliseconds: controller.roles.scanningSinceMilliseconds,
            nowMilliseconds: now)
        if isGap { endCoverage(nowMilliseconds: now) }
        let entry = coverage.advance(
            CoverageKeeper.Scan(
                controller.roles, lastGoodMilliseconds: controller.statistics.lastGoodMilliseconds),
            confirmedMilliseconds: health.confirmation(controller.statistics, nowMilliseconds: now),
            firstGoodMilliseconds: controller.statistics.firstGoodMilliseconds, counters: recorder.counters,
            isWanted: isWanted && store.keeper.failure == nil, nowMilliseconds: now)
        if let entry { store.keeper.append(.coverage(entry), nowMilliseconds: now) }
    }

    mutating func endCoverage(nowMilliseconds now: UInt64) {
        if let entry = coverage.end(counters: recorder.counters, nowMilliseconds: now) {
            store.keeper.append(.coverage(entry), nowMilliseconds: now)
        }
    }

    private mutating func keepRetention(nowMilliseconds now: UInt64) {
        guard retention.isDue(nowMilliseconds: now) else { return }
        let isBeginning = retention.advance(
            &store.keeper, wallClockMilliseconds: wallClockMilliseconds(nowMilliseconds: now),
            nowMilliseconds: now)
        if isBeginning { store.appendConfiguration(settings, nowMilliseconds: now) }
    }

    func wallClockMilliseconds(nowMilliseconds now: UInt64) -> UInt64? {
        if let offset = store.toldOffsetMilliseconds { return now &+ offset }
        return clock.wallClock?.milliseconds
    }

    // MARK: The end

    private mutating func stop(nowMilliseconds now: UInt64) {
        // Nobody else may switch it off: a controller behind a UART would go on advertising without us.
        if supervisor.isOpen, radio.isReadyToSend { try? radio.send(Command.reset.packet.span) }
        // And nobody else would give it its power back.
        if supervisor.isUnpowered { _ = board.setRadioPower(true) }
        keepCoverage(isWanted: false, nowMilliseconds: now)
        endCoverage(nowMilliseconds: now)
        var isFlushed = false
        while !isFlushed {
            isFlushed = recorder.flush()
            store.keeper.commitAll(recorder: &recorder, nowMilliseconds: now)
            if store.keeper.failure != nil { break }
        }
        reportLogFailure()
        board.report(.stopped(encounterCount: recorder.counters.encounters))
    }

    private mutating func reportLogFailure() {
        let hasFailed = store.keeper.failure != nil
        guard hasFailed != hasReportedFailure else { return }
        hasReportedFailure = hasFailed
        board.report(hasFailed ? .logWriteFailed : .logWriteResumed)
    }

    // Its parts end themselves, most out of sight of whoever has an agent.
    @inline(never)
    deinit {}
}
