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

/// The agent: one thread, one loop. Each ``step()`` takes the packets and bytes that have come, does the
/// work that is due, and returns the time of the next step. It never waits and, once made, takes no more
/// memory.
public struct Agent<P: Platform>: ~Copyable {
    var time: StepClock<P.Clock>
    var board: P.Board
    var radio: SupervisedRadio<P.Radio>
    var random: P.Randomness
    var settings: AgentSettings
    /// The board's keys that are in force.
    public internal(set) var keys: BoardKeys?

    var identities: OwnIdentities
    /// When the radio is next told the difference between wall-clock and monotonic time.
    private var nextClockCheckMilliseconds: UInt64 = 0
    var recorder: Recorder
    var writer: LogWriter<P.Flash>
    var port: SyncPort<P>
    private var retention: RetentionKeeper
    /// When the recorder next looks for encounters and samples that have ended. It does not at each wake,
    /// because it looks at all of them.
    private var nextSweepMilliseconds: UInt64 = 0
    /// When the agent ends because a client changed its configuration. Until then the answer is on its way.
    var restartMilliseconds: UInt64?
    /// Why ``step()`` returned nil; nil while the agent runs.
    public internal(set) var ending: AgentEnding?

    /// Steps come at least this often while there is nothing to do.
    private static var tickMilliseconds: UInt64 { 100 }
    /// And this often while there is nobody to keep account of.
    private static var idleTickMilliseconds: UInt64 { 1_000 }
    private static var clockIntervalMilliseconds: UInt64 { 1_000 }

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
        var writer = LogWriter(log: log, lossWindowMilliseconds: settings.lossWindowMilliseconds)
        var view = SyncView<P.Flash, P.Clock>(clock: clock, configuration: settings.configuration)
        view.status.logIdentity = logIdentity
        view.status.bootIdentifier = bootIdentifier
        view.status.softwareVersion = settings.softwareVersion
        view.publicKeys = settings.keys?.publicHalves
        writer.append(
            .boot(
                BootEntry(
                    bootIdentifier: bootIdentifier, monotonicMilliseconds: now,
                    softwareVersion: settings.softwareVersion,
                    sampleMilliseconds: UInt32(truncatingIfNeeded: settings.recorder.sampleMilliseconds),
                    gapMilliseconds: UInt32(truncatingIfNeeded: settings.recorder.gapMilliseconds),
                    lossWindowMilliseconds: UInt32(truncatingIfNeeded: settings.lossWindowMilliseconds),
                    role: settings.role)), nowMilliseconds: now)
        writer.append(
            .configuration(settings.entry(digest: view.configurationDigest, nowMilliseconds: now)),
            nowMilliseconds: now)
        self.settings = settings
        keys = settings.keys
        time = StepClock(clock, nowMilliseconds: now)
        self.board = board
        self.radio = SupervisedRadio(
            transport: radio, controller: controller, giveUpMinutes: settings.giveUpMinutes,
            nowMilliseconds: now)
        self.random = random
        identities = OwnIdentities(
            role: settings.role, herald: settings.wearable.map { IdentityKeeper($0) },
            schemes: SchemeKeeper(
                settings.schemes, txPowerDBm: settings.radio.transmitPower.dBm, entropy: random.entropy))
        self.recorder = recorder
        self.writer = writer
        port = SyncPort(serial, view: view)
        retention = RetentionKeeper(
            days: settings.retentionDays, segmentCount: segmentCount, nowMilliseconds: now)
        if foundStaleBlocks { self.board.report(.staleBlocksFound) }
    }

    /// Does a bounded amount of work.
    /// - Returns: when to call again at the latest, in monotonic milliseconds; nil when the agent has
    ///   ended.
    public mutating func step() -> UInt64? {
        let now = time.monotonicMilliseconds
        if time.step(nowMilliseconds: now) { endCoverage(nowMilliseconds: now) }
        guard ending == nil, !board.isStopRequested else {
            if ending == nil {
                ending = .stopped
                stop(nowMilliseconds: now)
            }
            return nil
        }
        if let anchor = time.takeAnchor(nowMilliseconds: now) {
            writer.append(.anchor(anchor), nowMilliseconds: now)
        }
        if now >= identities.deadlineMilliseconds { advanceIdentities(nowMilliseconds: now) }
        tellClock(nowMilliseconds: now)
        let radioDeadline = radio.step(
            recorder: &recorder, log: &writer, board: &board, nowMilliseconds: now)
        if radio.isLost {
            ending = .radioLost
            stop(nowMilliseconds: now)
            return nil
        }
        if now >= nextSweepMilliseconds {
            nextSweepMilliseconds = now + Self.tickMilliseconds
            recorder.advance(nowMilliseconds: now)
            identities.reportDuplicates(
                count: radio.controller.counters.duplicateIdentities, to: &board, nowMilliseconds: now)
        }
        let isCoverageDue = writer.isCoverageDue(nowMilliseconds: now)
        logCoverage(isWanted: isCoverageDue, nowMilliseconds: now)
        writer.advance(recorder: &recorder, nowMilliseconds: now)
        keepRetention(nowMilliseconds: now)
        let isPreparing = writer.isPreparing(nowMilliseconds: now)
        if isPreparing { writer.prepare(nowMilliseconds: now) }
        // One slice in a step.
        let isMaking = identities.isMakingBroadcast
        if isMaking, !isPreparing { identities.makeBroadcast() }
        let isMakingRoot = identities.isMakingRoot(nowMilliseconds: now)
        if isMakingRoot, !isPreparing, !isMaking {
            identities.makeRoot(log: &writer, board: &board, nowMilliseconds: now)
        }
        reportLogFailure()
        serveSync(isBusy: isPreparing || isMaking || isMakingRoot, nowMilliseconds: now)
        if let restart = restartMilliseconds, now >= restart {
            ending = .configured
            stop(nowMilliseconds: now)
            return nil
        }
        if port.hasWork || radio.controller.hasImmediateWork || isPreparing || isMaking
            || isMakingRoot
        {
            return now
        }
        let tick = now + (isIdle() ? Self.idleTickMilliseconds : Self.tickMilliseconds)
        return min(min(tick, radioDeadline), identities.deadlineMilliseconds)
    }

    private mutating func isIdle() -> Bool {
        writer.log.oldestOpenEntryMilliseconds == nil && recorder.peers.newest(.tentative) == nil
            && recorder.peers.newest(.confirmed) == nil && radio.isAtRest
    }

    /// The recorder's counters since the agent started.
    public var counters: RecorderCounters { recorder.counters }

    public var radioStatus: RadioStatus { radio.status }

    public var sealCounters: SealCounters { writer.log.sealCounters }

    // MARK: Time and coverage

    private func surroundings(nowMilliseconds now: UInt64) -> IdentitySurroundings {
        IdentitySurroundings(
            system: time.clock.wallClock, toldOffsetMilliseconds: port.view.toldOffsetMilliseconds,
            isSealed: writer.log.isSealed, nowMilliseconds: now)
    }

    private mutating func advanceIdentities(nowMilliseconds now: UInt64) {
        identities.advance(
            surroundings(nowMilliseconds: now), radio: &radio, recorder: &recorder, log: &writer,
            board: &board, random: &random, on: P.self)
    }

    /// Logs the coverage that is known. Pieces wait while the medium refuses writes, because they would
    /// fill the memory.
    /// - Parameter isWanted: the open page is about to be committed or read.
    mutating func logCoverage(isWanted: Bool, nowMilliseconds now: UInt64) {
        radio.logCoverage(
            in: &writer, counters: recorder.counters,
            isWanted: isWanted && writer.failure == nil, nowMilliseconds: now)
    }

    private mutating func endCoverage(nowMilliseconds now: UInt64) {
        radio.endCoverage(in: &writer, counters: recorder.counters, nowMilliseconds: now)
    }

    /// Tells the radio once a second how wall-clock and monotonic time differ, for the schemes' answers.
    private mutating func tellClock(nowMilliseconds now: UInt64) {
        guard now >= nextClockCheckMilliseconds else { return }
        nextClockCheckMilliseconds = now + Self.clockIntervalMilliseconds
        radio.setWallClockOffset(
            milliseconds: identities.wallClockOffset(surroundings(nowMilliseconds: now)))
    }

    private mutating func keepRetention(nowMilliseconds now: UInt64) {
        guard retention.isDue(nowMilliseconds: now) else { return }
        let isBeginning = retention.advance(
            &writer, wallClockMilliseconds: wallClockMilliseconds(nowMilliseconds: now),
            nowMilliseconds: now)
        guard isBeginning else { return }
        let entry = settings.entry(digest: port.view.configurationDigest, nowMilliseconds: now)
        writer.append(.configuration(entry), nowMilliseconds: now)
    }

    func wallClockMilliseconds(nowMilliseconds now: UInt64) -> UInt64? {
        time.wallClockMilliseconds(toldOffset: port.view.toldOffsetMilliseconds, nowMilliseconds: now)
    }

    // MARK: The end

    private mutating func stop(nowMilliseconds now: UInt64) {
        radio.stop(board: &board)
        logCoverage(isWanted: false, nowMilliseconds: now)
        endCoverage(nowMilliseconds: now)
        var isFlushed = false
        while !isFlushed {
            isFlushed = recorder.flush()
            writer.commitAll(recorder: &recorder, nowMilliseconds: now)
            if writer.failure != nil { break }
        }
        reportLogFailure()
        board.report(.stopped(encounterCount: recorder.counters.encounters))
    }

    private mutating func reportLogFailure() {
        guard let hasFailed = writer.takeFailureChange() else { return }
        board.report(hasFailed ? .logWriteFailed : .logWriteResumed)
    }

    // The type is destroyed in one place, because most of its parts are not visible to other modules.
    @inline(never)
    deinit {}
}
