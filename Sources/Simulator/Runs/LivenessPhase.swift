import Agent

/// The second phase of a ``SimulatedRun``: the faults have stopped, and the agent must recover. Within a
/// minute the agent must hear a phone that arrives, and the phone must have read its payload. The log must
/// accept entries within the loss window. A host must get every page, and the agent must stop when asked.
/// docs/simulator.md lists longer limits.
final class LivenessPhase {
    /// The time after the end of the faults in which the agent must hear the phone and be read.
    private static let radioLimit = SimulatedDuration.seconds(60)
    /// The time in which the agent must notice a duplicate filter. Connections restart the scan. While they
    /// are frequent each restart lets every device be heard once more, so the filter does not show but does
    /// no harm.
    private static let filterLimit = SimulatedDuration.minutes(5)
    /// The number of periods in which all near devices must be heard, where the scan restarts every few
    /// seconds anyway. If a device is missing in one, the filter does harm.
    private static let harmlessPauses = 6
    private static let harmlessPause = SimulatedDuration.seconds(10)
    /// The least starts of the scan in such a period if scanning and advertising alternate every 3 s.
    private static let frequentStarts: UInt64 = 3
    /// The time in which a phone must read the board if slots are scarce. Either it shares a single slot with
    /// phones that stay connected, or links keep their slots after their end. Staying phones lose the slot
    /// after half a minute. They return after some seconds, in which all other phones come together.
    private static let onePlaceLimit = SimulatedDuration.minutes(5)
    /// How long a board tries to deliver a message.
    private static let messageLimit = SimulatedDuration.minutes(5)
    /// How long a host may take to fetch the whole log of the largest medium in a run, including pauses.
    private static let syncLimit = SimulatedDuration.minutes(20)
    /// How long an agent may take to stop.
    private static let stopLimit = SimulatedDuration.seconds(5)

    /// The reasons why the world had to repair the radio.
    private(set) var recoveries: Set<ExternalRecovery> = []

    private let checker: InvariantChecker
    private let host: SyncingHost
    private let messages: OperatorMessages

    private var world: World { checker.world }
    private var board: SimulatedBoard { checker.board }
    private var neighbours: Neighbours { checker.neighbours }
    private var options: RunOptions { checker.options }

    init(_ checker: InvariantChecker, host: SyncingHost, messages: OperatorMessages) {
        self.checker = checker
        self.host = host
        self.messages = messages
    }

    /// Runs the phase. An effect of an earlier fault may still be in progress at first.
    func run() {
        world.air.propagation.interference = 0
        // A wearable has no identity while it does not know the day.
        if options.has(.wearable) {
            board.clock.setWallClock(world.now.wallClock, errorMilliseconds: 500)
        }
        let pages = checker.committedPageCount
        let witness = SimulatedPhone("witness", .witness, at: Route(standingAt: Position(2, 0)), in: world)
        neighbours.add(witness)
        bringRadioUp(for: witness)
        if options.has(.operatorSends) { sendMessage(to: witness) }
        world.run(for: .seconds(options.lossWindowSeconds + 30))
        if checker.committedPageCount <= pages { broken("the log takes nothing") }
        syncAll()
        stopAgent()
    }

    private func broken(_ what: String) {
        checker.record(Violation(of: "Liveness", what, in: checker))
    }

    private func stopAgent() {
        board.stop()
        world.run(for: Self.stopLimit)
        if board.state == .running { broken("the agent does not stop") }
    }

    // MARK: Radio

    private func bringRadioUp(for witness: SimulatedPhone) {
        let start = world.now
        let rungs = board.radioStatus?.rungs.total
        var isAlive = waitUntilAlive(witness, since: start)
        // A controller that was left in the middle of a damaged packet shows it at its next command only.
        if !isAlive, board.radioStatus?.rungs.total != rungs {
            isAlive = waitUntilAlive(witness, since: start)
        }
        if !isAlive, isUnknowinglyDeaf || isLeftAlone {
            recover(isLeftAlone ? .leftAlone : .deafUnmissed)
            waitUntilAlive(witness, since: start)
        }
        endDuplicateFilter()
        // Refusals of the only phone near may be about that phone, so the agent does not reset its radio.
        if board.controller.faults.has(.refusedConnecting) { board.controller.faults.hostDid(.powerCycle) }
        if !checker.hasHeard(witness, since: start) { broken("a phone is not heard") }
        if hasContestedPlace || hasLostPlaces {
            world.run(atMost: Self.onePlaceLimit) { [unowned self] in hasRead(witness) }
        }
        if !hasRead(witness) { broken("a phone cannot read the board") }
        if board.radioStatus?.state != .up {
            broken("the agent says its radio is \(board.radioStatus.map { "\($0.state)" } ?? "nothing")")
        }
    }

    /// Waits until the agent hears the phone and is read, at most for the limit.
    /// - Returns: Whether it recovered.
    @discardableResult
    private func waitUntilAlive(_ witness: SimulatedPhone, since start: SimulatedTime) -> Bool {
        world.run(atMost: Self.radioLimit) { [unowned self] in
            checker.hasHeard(witness, since: start) && hasRead(witness) && board.radioStatus?.state == .up
        }
    }

    /// Repairs the controller like a power cycle. All remaining effects of faults end.
    private func recover(_ reason: ExternalRecovery) {
        recoveries.insert(reason)
        board.controller.faults.hostDid(.powerCycle)
    }

    /// Whether the radio became deaf while no device was there to be missed. The agent cannot distinguish
    /// that from an empty room, so the world must repair the radio. ``CoverageIsTrue`` verifies that the
    /// agent could not know.
    private var isUnknowinglyDeaf: Bool {
        board.controller.faults.isBlind && board.radioStatus?.state != .recovering
            && !checker.mustKnowItIsBlind
    }

    /// Whether the witness has read the board, if the board can be read at all.
    private func hasRead(_ witness: SimulatedPhone) -> Bool {
        options.has(.silent)
            || witness.boardsRead.contains { board.controller.truth.addresses.contains($0.board) }
    }

    /// Whether the agent has tried everything against reports without content, and leaves the radio alone for
    /// a quarter of an hour, while the fault lasts longer than its cause.
    private var isLeftAlone: Bool {
        let faults = board.controller.faults
        return board.radioStatus?.state == .quiet && (faults.has(.unknownRSSI) || faults.has(.emptyReports))
    }

    /// Whether phones compete for link slots, or for the few adverts by which they can connect. Sonar phones
    /// never disconnect, and some phones come back every few seconds. Either kind contends for the only slot
    /// of a controller. If the agent keeps one link only, it takes a second one and ends the one heard
    /// weakest at once, so the frequent phones that are nearer keep others out. With two slots, Sonar phones
    /// occupy one and frequent phones the other. Or frequent phones occupy both, while nobody can connect
    /// during the time slots of Exposure Notification's adverts. If the controller also advertises by turns,
    /// phones can connect in one second of six only. Then frequent phones answer the same adverts, however
    /// many slots there are.
    private var hasContestedPlace: Bool {
        let hasOnePlace = options.has(.oneLinkAtATime) || options.has(.oneLink)
        let (hasStaying, hasFrequent) = (options.has(.sonarOn), options.has(.dropsWeakestLink))
        let hasPauses = options.has(.exposureNotificationOn)
        return hasOnePlace && (hasStaying || hasFrequent || options.has(.operatorSends))
            || hasFrequent && options.has(.keepsOneLink)
            || hasFrequent && options.keepsTwoLinks && (hasStaying || hasPauses)
            || hasFrequent && options.has(.rolesByTurns) && hasPauses
    }

    /// Whether links keep their slots after an end that was not reported, until the agent detects that. The
    /// links after them do the same until the recovery ladder reaches the rung that helps. A repair from
    /// outside ends the fault, but tells the agent nothing of the links that it still takes for open.
    private var hasLostPlaces: Bool {
        board.controller.faults.has(.untoldEndings) || !board.controller.untoldHandles.isEmpty
    }

    // MARK: Duplicate filter

    /// Waits until the duplicate filter ends. The agent can detect it if three devices are near and have
    /// strong signals, so two more witnesses come.
    private func endDuplicateFilter() {
        let faults = board.controller.faults
        guard faults.has(.duplicateFilter) else { return }
        for number in 1...2 {
            let place = Route(standingAt: Position(Double(number), 1))
            neighbours.add(SimulatedPhone("witness \(number + 1)", .witness, at: place, in: world))
        }
        let hasRestless =
            options.has(.restlessPhones) || neighbours.bystanders.contains { $0.kind == .hostile }
        // Each device gives a single report, without content or among those of ever-changing addresses,
        // which prevent silence. That is not enough evidence: see docs/radio-supervisor.md.
        if faults.has(.unknownRSSI) || faults.has(.emptyReports) {
            recover(.filterAmongUselessReports)
        } else if hasRestless {
            recover(.filterAmongRestless)
        } else if !world.run(atMost: Self.filterLimit, until: { !faults.has(.duplicateFilter) }) {
            let isHarmless = hearWitnessesRepeatedly()
            if !isHarmless { broken("nobody is heard twice, and that is taken for well") }
            recover(isHarmless ? .filterHarmless : .filterUndetected)
        }
        // The state is up again only after some time without a fault.
        world.run(atMost: Self.radioLimit) { [unowned self] in board.radioStatus?.state == .up }
    }

    /// Whether the board may restart its scan every few seconds. It alternates scanning and advertising,
    /// changes its address for Exposure Notification's time slot, or is connected to as often. Repeated
    /// reports are then no evidence about a filter. See docs/radio-supervisor.md.
    private var mayStartScanOften: Bool {
        options.has(.rolesByTurns) || options.has(.exposureNotificationOn) || options.has(.dropsWeakestLink)
    }

    /// Lets a minute pass. Also counts the starts of the scan, because any board may come to alternate: until
    /// the next reset it remembers a refusal of one role beside the other. The reason may have been a link
    /// that a corrupted stream has hidden from it.
    /// - Returns: Whether in each period of it the board restarted its scan often, and all three witnesses
    ///   were heard.
    private func hearWitnessesRepeatedly() -> Bool {
        let witnesses = neighbours.phones.suffix(3)
        return (0..<Self.harmlessPauses).allSatisfy { _ in
            let (start, scanStarts) = (world.now, board.controller.truth.scanStarts)
            world.run(for: Self.harmlessPause)
            let isOften = board.controller.truth.scanStarts >= scanStarts + Self.frequentStarts
            return (mayStartScanOften || isOften)
                && witnesses.allSatisfy { checker.hasHeard($0, since: start) }
        }
    }

    // MARK: Operator

    /// Checks that, without faults, a phone that stays near receives the operator's message. An agent
    /// that has started anew refuses messages to devices that it has not heard yet.
    private func sendMessage(to witness: SimulatedPhone) {
        world.run(atMost: Self.radioLimit) { [unowned self] in
            checker.hasHeard(witness, since: checker.bootTime)
        }
        guard let message = messages.toAddress(of: witness) else { return }
        host.nextMessage = { message }
        host.beginAnew()
        host.nextMessage = { nil }
        let data = OperatorMessage(message).data
        let hasArrived = world.run(atMost: Self.messageLimit) {
            witness.messagesFromBoards.contains { $0.data == data }
        }
        if !hasArrived { broken("a message to a phone near by does not arrive") }
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
            guard isDone else { return broken("a host cannot fetch the log") }
            // The host had bytes of a segment that differ from the board's, because a bit has flipped
            // since. It fetches the segment again.
        } while host.discardCount > discards
        let missing = checker.pagesHeld.filter { !host.hasAcknowledged(ordinal: $0.ordinal, page: $0.index) }
        if let first = missing.first, missing.count > checker.pagesWrittenSince(host.indexTime) {
            broken(
                "\(missing.count) pages cannot be fetched, such as \(first.index) of segment \(first.ordinal)"
            )
        }
    }
}
