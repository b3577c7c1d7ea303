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
    /// The board's current keys.
    public internal(set) var keys: BoardKeys?

    var identities: OwnIdentities
    var recorder: Recorder
    var writer: LogWriter<P.Flash>
    var port: SyncPort<P>
    private var retention: RetentionKeeper
    var service = BoardService()
    /// When the recorder next looks for encounters and samples that have ended. It does not at each wake,
    /// because it looks at all of them.
    private var nextSweep = Instant.start
    /// The end for a client that has changed the configuration or sent an update; nil if none is planned.
    var plannedEnd: PlannedEnd?
    /// Why ``step()`` returned nil; nil while the agent runs.
    public internal(set) var ending: AgentEnding?

    /// Steps come at least this often while there is nothing to do.
    private static var tick: Interval { .milliseconds(100) }
    /// The same while peers are only heard, on a board that spares its battery.
    private static var sparingTick: Interval { .milliseconds(250) }
    /// The same while no peer is tracked.
    private static var idleTick: Interval { .seconds(1) }
    /// A step that comes later sweeps as much as the steps that it saves.
    private static var sparingSweeps: Int { 3 }

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
        let now = clock.now
        let bootIdentifier = log.bootIdentifier
        let logIdentity = log.logIdentity
        let segmentCount = log.geometry.segmentCount
        let foundStaleBlocks = log.foundStaleBlocks
        let foundForeignPages = log.foundForeignPages
        var writer = LogWriter(log: log, lossWindow: settings.lossWindow)
        var view = SyncView<P.Flash, P.Clock>(clock: clock, configuration: settings.configuration)
        view.status.logIdentity = logIdentity
        view.status.bootIdentifier = bootIdentifier
        view.status.softwareVersion = settings.softwareVersion
        view.publicKeys = settings.keys?.publicHalves
        writer.append(
            .boot(
                BootEntry(
                    bootIdentifier: bootIdentifier, instant: now, softwareVersion: settings.softwareVersion,
                    sampleLength: settings.recorder.sampleLength,
                    encounterTimeout: settings.recorder.encounterTimeout, lossWindow: settings.lossWindow,
                    role: settings.role)), now: now)
        writer.append(
            .configuration(settings.entry(digest: view.configurationDigest, now: now)),
            now: now)
        self.settings = settings
        keys = settings.keys
        time = StepClock(clock, now: now)
        self.board = board
        self.radio = SupervisedRadio(
            transport: radio, controller: controller, giveUpMinutes: settings.giveUpMinutes,
            isUsed: settings.isSetUp, now: now)
        self.random = random
        identities = OwnIdentities(
            role: settings.role, herald: settings.wearable.map { IdentityKeeper($0) },
            schemes: SchemeKeeper(
                settings.schemes, txPowerDBm: settings.radio.transmitPower.dBm, entropy: random.entropy))
        self.recorder = recorder
        self.writer = writer
        port = SyncPort(serial, view: view)
        retention = RetentionKeeper(
            days: settings.retentionDays, segmentCount: segmentCount, now: now)
        if foundStaleBlocks { self.board.report(.staleBlocksFound) }
        if foundForeignPages { self.board.report(.foreignPagesFound) }
    }

    /// Does a bounded amount of work.
    /// - Returns: when to call again at the latest; nil when the agent has ended.
    public mutating func step() -> Instant? {
        let now = time.now
        if time.step(now: now) { endCoverage(now: now) }
        guard ending == nil, !board.isStopRequested else {
            if ending == nil {
                ending = .stopped
                stop(now: now)
            }
            return nil
        }
        if let anchor = time.takeAnchor(now: now) {
            writer.append(.anchor(anchor), now: now)
        }
        if now >= identities.deadline { advanceIdentities(now: now) }
        tellClock(now: now)
        let radioDeadline = radio.step(
            recorder: &recorder, log: &writer, board: &board, now: now)
        if radio.isLost {
            ending = .radioLost
            stop(now: now)
            return nil
        }
        if now >= nextSweep {
            nextSweep = now + Self.tick
            for _ in 0..<(settings.radio.duty.isAdaptive ? Self.sparingSweeps : 1) {
                recorder.advance(now: now)
            }
            identities.reportDuplicates(
                count: radio.controller.counters.duplicateIdentities, to: &board, now: now)
        }
        let isCoverageDue = writer.isCoverageDue(now: now)
        logCoverage(isWanted: isCoverageDue, now: now)
        writer.advance(recorder: &recorder, now: now)
        keepRetention(now: now)
        let isPreparing = writer.isPreparing(now: now)
        if isPreparing { writer.prepare(now: now) }
        // One slice in a step.
        let isMaking = identities.isMakingBroadcast
        if isMaking, !isPreparing { identities.makeBroadcast() }
        let isMakingRoot = identities.isMakingRoot(now: now)
        if isMakingRoot, !isPreparing, !isMaking {
            identities.makeRoot(log: &writer, board: &board, now: now)
        }
        reportLogFailure()
        // Below this frame are copies of a page's key and of its entries.
        if writer.takePageChange() { wipeStack() }
        serveSync(isBusy: isPreparing || isMaking || isMakingRoot, now: now)
        if let plannedEnd, now >= plannedEnd.instant {
            ending = plannedEnd.ending
            stop(now: now)
            return nil
        }
        if port.hasWork || radio.controller.hasImmediateWork || isPreparing || isMaking
            || isMakingRoot
        {
            return now
        }
        return min(min(now + nextTick(), radioDeadline), identities.deadline)
    }

    private mutating func nextTick() -> Interval {
        let isIdle =
            writer.log.oldestOpenEntry == nil && recorder.peers.newest(.tentative) == nil
            && recorder.peers.newest(.confirmed) == nil
        guard isIdle || settings.radio.duty.isAdaptive, radio.isAtRest else { return Self.tick }
        return isIdle ? Self.idleTick : Self.sparingTick
    }

    /// The recorder's counters since the agent started.
    public var counters: RecorderCounters { recorder.counters }

    public var radioStatus: RadioStatus { radio.status }

    public var sealCounters: SealCounters { writer.log.sealCounters }

    // MARK: Time and coverage

    private func surroundings(now: Instant) -> IdentitySurroundings {
        IdentitySurroundings(
            system: time.clock.wallClock, syncedOffset: port.view.syncedOffset,
            confirmedDay: port.view.calendar.day(at: now), isSealed: writer.log.isSealed, now: now)
    }

    private mutating func advanceIdentities(now: Instant) {
        identities.advance(
            surroundings(now: now), radio: &radio, recorder: &recorder, log: &writer,
            board: &board, random: &random, on: P.self)
    }

    /// Logs the coverage that is known. Pieces wait while the medium refuses writes, because they would
    /// fill the memory.
    /// - Parameter isWanted: the open page is about to be committed or read.
    mutating func logCoverage(isWanted: Bool, now: Instant) {
        radio.logCoverage(
            in: &writer, counters: recorder.counters,
            isWanted: isWanted && writer.failure == nil, now: now)
    }

    private mutating func endCoverage(now: Instant) {
        radio.endCoverage(in: &writer, counters: recorder.counters, now: now)
    }

    /// Tells the radio once a second how wall-clock and monotonic time differ, for the schemes' answers, and
    /// the board how the agent does.
    private mutating func tellClock(now: Instant) {
        guard service.watch.isDue(now: now) else { return }
        let surroundings = surroundings(now: now)
        port.view.calendar.observe(surroundings.system, now: now)
        radio.setWallClockOffset(identities.wallClockOffset(surroundings))
        tellBoard(now: now)
    }

    private mutating func keepRetention(now: Instant) {
        guard retention.isDue(now: now) else { return }
        let isBeginning = retention.advance(
            &writer, confirmed: port.view.calendar.offset, now: now)
        guard isBeginning else { return }
        let entry = settings.entry(digest: port.view.configurationDigest, now: now)
        writer.append(.configuration(entry), now: now)
    }

    func wallClock(now: Instant) -> WallClockTime? {
        time.wallClock(syncedOffset: port.view.syncedOffset, now: now)
    }

    // MARK: The end

    private mutating func stop(now: Instant) {
        radio.stop(board: &board)
        // Held encounters end first, so that coverage counts those that are not written.
        var isFlushed = recorder.flush()
        logCoverage(isWanted: false, now: now)
        endCoverage(now: now)
        writer.commitAll(recorder: &recorder, now: now)
        while !isFlushed, writer.failure == nil {
            isFlushed = recorder.flush()
            writer.commitAll(recorder: &recorder, now: now)
        }
        reportLogFailure()
        board.report(.stopped(encounterCount: recorder.counters.encounters))
    }

    private mutating func reportLogFailure() {
        guard let hasFailed = writer.takeFailureChange() else { return }
        board.report(hasFailed ? .logWriteFailed : .logWriteResumed)
    }

    // Destroyed in one place, because inlined copies enlarge the board's image.
    @inline(never)
    deinit {}
}
