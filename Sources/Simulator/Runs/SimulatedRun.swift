import Agent

/// One run of one board, from a seed, in two phases. First, safety: for at least an hour anything may fail, and every
/// ``Check`` must hold at every step. Then, liveness: faults stop, and within a stated time the agent must hear and be
/// read, its log must take entries, and a host must get all of it.
public final class SimulatedRun {
    /// What came of it.
    public struct Outcome: Sendable {
        public let options: RunOptions
        public internal(set) var violations: [Violation] = []
        public internal(set) var simulated = SimulatedDuration.zero
        public internal(set) var faultKinds: Set<FaultKind> = []
        public internal(set) var pageCount = 0
        public internal(set) var startCount = 0
        public internal(set) var reportCount: UInt64 = 0
        public internal(set) var acknowledgedByteCount = 0
        /// Why the world had to mend the radio at the end; empty: all that was wrong with it the agent had mended.
        public internal(set) var mendedFromOutside: Set<OutsideMending> = []
        /// A fingerprint of all that happened.
        public internal(set) var traceHash: UInt64 = 0

        public var hasFailed: Bool { !violations.isEmpty }
    }

    /// Within this time after the faults' end the agent must hear, be heard and be read.
    public static let radioLimit = SimulatedDuration.seconds(60)
    /// Within this time it must no longer filter duplicates. Connections restart the scan, and while they come often
    /// everybody is heard once more with each: it does not show, but does no harm.
    private static let filterLimit = SimulatedDuration.minutes(5)
    /// Where the scan starts anew every few seconds whatever is heard, everybody near is heard again as often: in each of
    /// so many such pauses, or the filter does harm.
    private static let harmlessPauses = 6
    private static let harmlessPause = SimulatedDuration.seconds(10)
    /// Within this time a phone must have read the board where it shares a single place with phones that stay connected (they
    /// give it up after half a minute, and are back after some seconds in which all others come at once), or where links keep
    /// their places after their end.
    private static let onePlaceLimit = SimulatedDuration.minutes(5)
    /// So long a board tries to deliver a message.
    private static let messageLimit = SimulatedDuration.minutes(5)
    /// So long a host may take for the whole log of the largest medium in a run, with its pauses.
    private static let syncLimit = SimulatedDuration.minutes(20)

    public let options: RunOptions
    public let world: World
    public let board: SimulatedBoard
    private let overseer: Overseer
    private let host: SyncingHost
    private let diary: FaultDiary
    private let script: FaultScript
    private let liveness: Liveness

    public init(_ options: RunOptions) {
        self.options = options
        let world = World(seed: options.seed)
        let board = SimulatedBoard("board", options.boardSetup, in: world)
        let diary = FaultDiary(of: board.controller, in: world)
        var habits = SyncingHost.Habits()
        habits.hostCount = max(1, options.hostCount)
        if options.has(.operatorSends) { habits.longestPause = .minutes(4) }
        let host = SyncingHost("operator", at: board.line, habits, in: world)
        host.isIdle = options.hostCount == 0 && !options.has(.operatorSends)
        self.world = world
        self.board = board
        self.host = host
        self.diary = diary
        let company = Company(in: world)
        messages = OperatorMessages(to: company, random: world.random("operator's messages"))
        overseer = Overseer(
            of: board, host: host, diary: diary, options: options, company: company, in: world)
        script = FaultScript(for: board, options, diary: diary, in: world)
        liveness = Liveness(overseer)
        self.company = company
        if options.has(.operatorSends) { host.nextMessage = { [messages] in messages.next() } }
        world.air.propagation.interference = options.interference
        makePhones()
        addCompany()
        if options.knowsWallTime {
            setWallClock(daysEarlier: options.has(.retention) ? options.retentionDays + 2 : 0)
        }
        if options.has(.retention) {
            world.after(.minutes(10)) { [unowned self] in setWallClock(daysEarlier: 0) }
        }
    }

    /// As network time does, or somebody who is wrong about the day.
    private func setWallClock(daysEarlier days: UInt64) {
        let now = SyncingHost.epochMilliseconds + world.now.microseconds / 1_000
        board.clock.setWallClock(milliseconds: now - days * 86_400_000, errorMilliseconds: 500)
    }

    private let company: Company
    private let messages: OperatorMessages
    private var mendings: Set<OutsideMending> = []

    /// Prints what the agent logs, with the time.
    public func trace(_ print: @escaping (String) -> Void) {
        board.onLine = { [unowned self] in print("\(world.now.inSeconds) s: \($0)") }
        script.onChange = { [unowned self] in print("\(world.now.inSeconds) s: \($0)") }
        overseer.onFlash = { [unowned self] in print("\(world.now.inSeconds) s: \($0)") }
    }

    public func run() -> Outcome {
        board.powerOn()
        world.run(for: options.duration)
        script.stop()
        // What a fault has begun may be under way for a moment.
        becomeAlive()
        board.stop()
        world.run(for: .seconds(5))
        if board.state == .running { liveness.broken("the agent does not stop") }
        overseer.end()
        return outcome()
    }

    private func outcome() -> Outcome {
        var outcome = Outcome(options: options)
        outcome.violations = overseer.violations
        outcome.simulated = world.now - .zero
        outcome.faultKinds = diary.kinds
        outcome.pageCount = overseer.committedPageCount
        outcome.startCount = board.startCount
        outcome.reportCount = board.controller.truth.reportsTaken
        outcome.acknowledgedByteCount = host.acknowledgedByteCount
        outcome.mendedFromOutside = mendings
        outcome.traceHash = world.trace.hash
        world.end()
        return outcome
    }

    // MARK: Who is there

    private func makePhones() {
        var random = world.random("phones")
        for number in 0..<options.phoneCount {
            let kind = PhoneKind.all[Int(random.below(UInt64(PhoneKind.all.count)))]
            company.add(SimulatedPhone("phone \(number)", kind, at: route(&random), in: world))
        }
        for number in 0..<options.strangerCount {
            let kind = Passer.Kind.allCases[Int(random.below(UInt64(Passer.Kind.allCases.count)))]
            company.strangers.append(Passer("stranger \(number)", kind, at: route(&random), in: world))
        }
        scheduleVisits(&random)
    }

    private func route(_ random: inout RandomStream) -> Route {
        Route(standingAt: Position.inRoom(&random))
    }

    /// Phones and strangers go away now and then, and come back.
    private func scheduleVisits(_ random: inout RandomStream) {
        for station in company.phones as [Station] + company.strangers where random.chance(0.6) {
            company.scheduleVisits(of: station, until: .zero + options.duration, &random)
        }
    }

    /// By draws of their own: whether they are there changes nothing for those before.
    private func addCompany() {
        var random = world.random("company")
        let end = SimulatedTime.zero + options.duration
        company.addSchemePhones(
            WorldOption.allCases.filter(options.has).flatMap(\.phoneKinds), until: end, &random)
        for option in WorldOption.allCases where options.has(option) && option.isOfExposureNotification {
            for number in 0..<1 + random.below(3) {
                company.strangers.append(
                    Passer(
                        "phone with \(option.rawValue) \(number)", .exposureNotification, at: route(&random),
                        in: world))
            }
        }
        if options.has(.neighbour) { company.addNeighbour(until: end, &random) }
        var guests = world.random("guests")
        company.addGuests(WorldOption.allCases.filter(options.has).flatMap(\.guests), until: end, &guests)
    }

    // MARK: Liveness

    private func becomeAlive() {
        world.air.propagation.interference = 0
        // Without knowing the day a wearable is nobody.
        if options.has(.wearable) { setWallClock(daysEarlier: 0) }
        let pages = overseer.committedPageCount
        let witness = SimulatedPhone("witness", at: Route(standingAt: Position(2, 0)), in: world)
        company.add(witness)
        let start = world.now
        if !isAlive(witness, since: start), isUnknowinglyDeaf {
            mend(.deafUnmissed)
            _ = isAlive(witness, since: start)
        }
        endFilterOfDuplicates()
        if !overseer.hasHeard(witness, since: start) { liveness.broken("a phone is not heard") }
        if hasContestedPlace || hasLostPlaces {
            _ = world.run(atMost: Self.onePlaceLimit) { [unowned self] in hasRead(witness) }
        }
        if !hasRead(witness) { liveness.broken("a phone cannot read the board") }
        if board.radioStatus?.state != .up {
            liveness.broken(
                "the agent says its radio is \(board.radioStatus.map { "\($0.state)" } ?? "nothing")")
        }
        if options.has(.operatorSends) { sendMessage(to: witness) }
        world.run(for: .seconds(options.lossWindowSeconds + 30))
        if overseer.committedPageCount <= pages { liveness.broken("the log takes nothing") }
        syncAll()
    }

    /// As if its power had been switched: what is left of all faults is gone.
    private func mend(_ reason: OutsideMending) {
        mendings.insert(reason)
        board.controller.faults.hostDid(.powerCycle)
    }

    /// Who stays near, without faults, gets what the operator sends.
    private func sendMessage(to witness: SimulatedPhone) {
        guard let message = messages.toAddress(of: witness) else { return }
        host.nextMessage = { message }
        host.beginAnew()
        host.nextMessage = { nil }
        let data = OperatorMessage(message).data
        let hasArrived = world.run(atMost: Self.messageLimit) {
            witness.messagesFromBoards.contains { $0.data == data }
        }
        if !hasArrived { liveness.broken("a message to a phone near by does not arrive") }
    }

    /// That nobody is heard twice can be told when three are near, and shown by signal strength to be: they come.
    private func endFilterOfDuplicates() {
        let faults = board.controller.faults
        guard faults.has(.duplicateFilter) else { return }
        for number in 1...2 {
            let place = Route(standingAt: Position(Double(number), 1))
            company.add(SimulatedPhone("witness \(number + 1)", at: place, in: world))
        }
        let hasRestless =
            options.has(.restlessPhones) || company.strangers.contains { $0.kind == .hostile }
        // Of each a single report, and that without content, or hidden among those from ever new addresses, which keep
        // the room from falling silent: too little to go by. See docs/radio-supervisor.md.
        if faults.has(.unknownRSSI) || faults.has(.emptyReports) {
            mend(.filterAmongUselessReports)
        } else if hasRestless {
            mend(.filterAmongRestless)
        } else if !world.run(atMost: Self.filterLimit, until: { !faults.has(.duplicateFilter) }) {
            let isHarmless = startsScanByItself && isFilterHarmless()
            if !isHarmless { liveness.broken("nobody is heard twice, and that is taken for well") }
            mend(isHarmless ? .filterHarmless : .filterUntold)
        }
        // Well again when it has been so for a while.
        _ = world.run(atMost: Self.radioLimit) { [unowned self] in board.radioStatus?.state == .up }
    }

    /// Whether the board may set up its scan anew every few seconds: it scans by turns, or takes another address for a turn
    /// of Exposure Notification. What is heard then is no sign of a filter. See docs/radio-supervisor.md.
    private var startsScanByItself: Bool {
        options.has(.rolesByTurns) || options.has(.exposureNotificationOn)
    }

    /// That all three witnesses are heard again and again.
    private func isFilterHarmless() -> Bool {
        let witnesses = company.phones.suffix(3)
        return (0..<Self.harmlessPauses).allSatisfy { _ in
            let start = world.now
            world.run(for: Self.harmlessPause)
            return witnesses.allSatisfy { overseer.hasHeard($0, since: start) }
        }
    }

    /// The controller takes no connection beside one, and there are phones of Sonar, which never leave by themselves, or such
    /// as come again every few seconds. Or of two places Sonar's have one, and those come to the other.
    private var hasContestedPlace: Bool {
        let hasOnePlace = options.has(.oneLinkAtATime) || options.has(.oneLink)
        let (hasStaying, hasFrequent) = (options.has(.sonarOn), options.has(.dropsWeakestLink))
        return hasOnePlace && (hasStaying || hasFrequent)
            || options.keepsTwoLinks && hasStaying && hasFrequent
    }

    /// Links that have ended, and are not known to have, take places until the agent finds that out; and so do those after
    /// them, before the rung is reached that cures it.
    private var hasLostPlaces: Bool { board.controller.faults.has(.untoldEndings) }

    /// Waits until the agent hears and is read, or the time for it is over.
    private func isAlive(_ witness: SimulatedPhone, since start: SimulatedTime) -> Bool {
        world.run(atMost: Self.radioLimit) { [unowned self] in
            overseer.hasHeard(witness, since: start) && hasRead(witness)
                && board.radioStatus?.state == .up
        }
    }

    /// That the witness has read the board, if it is to be read.
    private func hasRead(_ witness: SimulatedPhone) -> Bool {
        options.has(.silent)
            || witness.boardsRead.contains { board.controller.truth.addresses.contains($0.board) }
    }

    /// A radio that went deaf while nobody was there to be missed cannot be told from an empty room. That one has to mend
    /// itself. ``CoverageIsTrue`` sees to it that the agent had no way to know.
    private var isUnknowinglyDeaf: Bool {
        board.controller.faults.isBlind && board.radioStatus?.state != .recovering
            && !overseer.mustKnowItIsBlind
    }

    private func syncAll() {
        host.isIdle = false
        var discards = host.discardCount
        repeat {
            discards = host.discardCount
            host.beginAnew()
            let sessions = host.finishedSessionCount
            let isDone = world.run(atMost: Self.syncLimit) { [unowned self] in
                host.finishedSessionCount > sessions
            }
            guard isDone else { return liveness.broken("a host cannot fetch the log") }
            // What it had of a segment was not what the board has, a bit having flipped since: next time it gets all.
        } while host.discardCount > discards
        let missing = overseer.pagesHeld.filter { !host.hasAcknowledged(ordinal: $0.ordinal, page: $0.index) }
        if let first = missing.first, missing.count > overseer.pagesWrittenSince(host.indexTime) {
            liveness.broken(
                "\(missing.count) pages cannot be fetched, such as \(first.index) of segment \(first.ordinal)"
            )
        }
    }
}
