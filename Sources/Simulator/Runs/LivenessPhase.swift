import Agent

/// The second phase of a ``SimulatedRun``: the faults have stopped, and the agent must recover. Within a minute a phone that
/// comes is heard by it and has read its payload; its log takes entries within the loss window; a host gets every page that
/// there is; and when it is asked to stop, it does. docs/simulator.md tells where it has longer.
final class LivenessPhase {
    /// Within this time after the faults' end the agent must hear, be heard and be read.
    private static let radioLimit = SimulatedDuration.seconds(60)
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
    /// How long a board tries to deliver a message.
    private static let messageLimit = SimulatedDuration.minutes(5)
    /// How long a host may take for the whole log of the largest medium in a run, with its pauses.
    private static let syncLimit = SimulatedDuration.minutes(20)
    /// How long an agent may take to stop.
    private static let stopLimit = SimulatedDuration.seconds(5)

    /// Why the world had to mend the radio.
    private(set) var mendings: Set<OutsideMending> = []

    private let overseer: Overseer
    private let host: SyncingHost
    private let messages: OperatorMessages

    private var world: World { overseer.world }
    private var board: SimulatedBoard { overseer.board }
    private var company: Company { overseer.company }
    private var options: RunOptions { overseer.options }

    init(_ overseer: Overseer, host: SyncingHost, messages: OperatorMessages) {
        self.overseer = overseer
        self.host = host
        self.messages = messages
    }

    /// What a fault has begun may be under way for a moment when this begins.
    func run() {
        world.air.propagation.interference = 0
        // Without knowing the day a wearable is nobody.
        if options.has(.wearable) {
            board.clock.setWallClock(milliseconds: world.now.wallClockMilliseconds, errorMilliseconds: 500)
        }
        let pages = overseer.committedPageCount
        let witness = SimulatedPhone("witness", at: Route(standingAt: Position(2, 0)), in: world)
        company.add(witness)
        bringRadioUp(for: witness)
        if options.has(.operatorSends) { sendMessage(to: witness) }
        world.run(for: .seconds(options.lossWindowSeconds + 30))
        if overseer.committedPageCount <= pages { broken("the log takes nothing") }
        syncAll()
        stopAgent()
    }

    private func broken(_ what: String) {
        overseer.note(Violation(of: "Liveness", what, in: overseer))
    }

    private func stopAgent() {
        board.stop()
        world.run(for: Self.stopLimit)
        if board.state == .running { broken("the agent does not stop") }
    }

    // MARK: Radio

    private func bringRadioUp(for witness: SimulatedPhone) {
        let start = world.now
        if !waitUntilAlive(witness, since: start), isUnknowinglyDeaf {
            mend(.deafUnmissed)
            waitUntilAlive(witness, since: start)
        }
        endDuplicateFilter()
        if !overseer.hasHeard(witness, since: start) { broken("a phone is not heard") }
        if hasContestedPlace || hasLostPlaces {
            world.run(atMost: Self.onePlaceLimit) { [unowned self] in hasRead(witness) }
        }
        if !hasRead(witness) { broken("a phone cannot read the board") }
        if board.radioStatus?.state != .up {
            broken("the agent says its radio is \(board.radioStatus.map { "\($0.state)" } ?? "nothing")")
        }
    }

    /// Waits until the agent hears and is read, or the time for it is over.
    /// - Returns: whether it does.
    @discardableResult
    private func waitUntilAlive(_ witness: SimulatedPhone, since start: SimulatedTime) -> Bool {
        world.run(atMost: Self.radioLimit) { [unowned self] in
            overseer.hasHeard(witness, since: start) && hasRead(witness) && board.radioStatus?.state == .up
        }
    }

    /// As if its power had been switched: what is left of all faults is gone.
    private func mend(_ reason: OutsideMending) {
        mendings.insert(reason)
        board.controller.faults.hostDid(.powerCycle)
    }

    /// A radio that went deaf while nobody was there to be missed cannot be told from an empty room. That one has to mend
    /// itself. ``CoverageIsTrue`` sees to it that the agent had no way to know.
    private var isUnknowinglyDeaf: Bool {
        board.controller.faults.isBlind && board.radioStatus?.state != .recovering
            && !overseer.mustKnowItIsBlind
    }

    /// That the witness has read the board, if it is to be read.
    private func hasRead(_ witness: SimulatedPhone) -> Bool {
        options.has(.silent)
            || witness.boardsRead.contains { board.controller.truth.addresses.contains($0.board) }
    }

    /// The controller takes no connection beside one, and there are phones of Sonar, which never leave by themselves, or such
    /// as come again every few seconds. Or of two places Sonar's have one, and those come to the other; or those come to both,
    /// while a part of the time nobody can, since Exposure Notification's adverts have their turn.
    private var hasContestedPlace: Bool {
        let hasOnePlace = options.has(.oneLinkAtATime) || options.has(.oneLink)
        let (hasStaying, hasFrequent) = (options.has(.sonarOn), options.has(.dropsWeakestLink))
        return hasOnePlace && (hasStaying || hasFrequent)
            || options.keepsTwoLinks && hasFrequent && (hasStaying || options.has(.exposureNotificationOn))
    }

    /// Links that have ended, and are not known to have, take places until the agent finds that out; and so do those after
    /// them, before the rung is reached that cures it.
    private var hasLostPlaces: Bool { board.controller.faults.has(.untoldEndings) }

    // MARK: Filter for duplicates

    /// That nobody is heard twice can be told when three are near, and shown by signal strength to be: they come.
    private func endDuplicateFilter() {
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
            let isHarmless = startsScanOften && hearWitnessesRepeatedly()
            if !isHarmless { broken("nobody is heard twice, and that is taken for well") }
            mend(isHarmless ? .filterHarmless : .filterUntold)
        }
        // Well again when it has been so for a while.
        world.run(atMost: Self.radioLimit) { [unowned self] in board.radioStatus?.state == .up }
    }

    /// Whether the board may set up its scan anew every few seconds: it scans by turns, takes another address for a turn of
    /// Exposure Notification, or phones connect to it as often. What is heard then is no sign of a filter. See
    /// docs/radio-supervisor.md.
    private var startsScanOften: Bool {
        options.has(.rolesByTurns) || options.has(.exposureNotificationOn) || options.has(.dropsWeakestLink)
    }

    /// Lets a minute pass.
    /// - Returns: whether all three witnesses were heard again and again in it.
    private func hearWitnessesRepeatedly() -> Bool {
        let witnesses = company.phones.suffix(3)
        return (0..<Self.harmlessPauses).allSatisfy { _ in
            let start = world.now
            world.run(for: Self.harmlessPause)
            return witnesses.allSatisfy { overseer.hasHeard($0, since: start) }
        }
    }

    // MARK: Operator

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
            // What it had of a segment was not what the board has, a bit having flipped since: next time it gets all.
        } while host.discardCount > discards
        let missing = overseer.pagesHeld.filter { !host.hasAcknowledged(ordinal: $0.ordinal, page: $0.index) }
        if let first = missing.first, missing.count > overseer.pagesWrittenSince(host.indexTime) {
            broken(
                "\(missing.count) pages cannot be fetched, such as \(first.index) of segment \(first.ordinal)"
            )
        }
    }
}
