import FixedMemory
import HCI
import Peers

/// Chooses the peer to connect to, and follows one attempt at a time: commanded with LE Create Connection,
/// ended by a Connection Complete in any case.
struct Connector: BitwiseCopyable {
    enum State: BitwiseCopyable {
        case idle
        /// Scanning and advertising stop first.
        case wanted(DeviceAddress, deadline: Instant)
        /// LE Create Connection was sent.
        case asked(DeviceAddress, deadline: Instant)
        /// The attempt took too long, or is not wanted any more: the next command is LE Create Connection
        /// Cancel.
        case overdue(DeviceAddress)
        /// LE Create Connection Cancel was sent. If the controller has refused it, no attempt was left to
        /// cancel.
        case cancelled(DeviceAddress, deadline: Instant, isRefused: Bool)
    }

    enum Purpose: BitwiseCopyable, Equatable {
        case identity
        case message(PeerKey)
        case writeBack
    }

    private(set) var state = State.idle
    private(set) var purpose = Purpose.identity
    private var start = Instant.start
    private var pause = AttemptPause()
    private var choicePausedUntil = Instant.start
    private var nextWriteChoice = Instant.start
    private var turn = LinkPolicy.Turn.nearest
    private var isWriteTurn = false
    private var probes = ProbeBudget()
    private var writes = ProbeBudget.writeBack
    private var fruitless = FruitlessAttempts()
    /// When a due connection began to wait because all link slots are taken; nil if none waits.
    var waitingSince: Instant?
    /// The next free slot is reserved for a link of our own.
    var isSlotReserved = false
    /// The number of links with which the controller has refused to make one more.
    private(set) var refusedLinkCount = Int.max
    private(set) var role = ConnectingRole()

    /// The choice looks at many peers, so it does not happen at each wake.
    private static var choiceInterval: Interval { .milliseconds(100) }
    private static var writeChoiceInterval: Interval { .milliseconds(200) }

    /// Without messages, which do not wait for the pause after an attempt.
    var nextChoice: Instant { max(choicePausedUntil, pause.end) }

    var isIdle: Bool { if case .idle = state { true } else { false } }

    // MARK: Choice

    /// Begins an attempt at the next peer, if one is due and a slot is free.
    mutating func choose(
        links: inout LinkTable, recorder: inout Recorder, context: borrowing RadioContext, now: Instant
    ) {
        probes.end(now: now)
        writes.end(now: now)
        let isPaused = !pause.isOver(now: now)
        guard context.settings.scans, context.own.next == nil, now >= choicePausedUntil,
            !isPaused || pause.maySkip(now: now) && !context.messages.isEmpty
        else { return }
        choicePausedUntil = now + Self.choiceInterval
        let message = context.messages.nextTarget(
            links: links, recorder: recorder, policy: context.policy, untriedOnly: isPaused, now: now)
        if let (peer, key) = message {
            let stay = context.policy.leastStay
            let isFree = freeSlot(links: &links, context.settings) {
                $0.mayBeEvictedForMessage(after: stay, now: now)
            }
            guard isFree else { return }
            return begin(peer, for: .message(key), recorder: &recorder, policy: context.policy, now: now)
        }
        guard !isPaused else { return }
        let target = nextTarget(links: links, recorder: &recorder, context: context, now: now)
        guard let (peer, purpose) = target else {
            waitingSince = nil
            isSlotReserved = false
            return
        }
        guard hasSlot(links: &links, context, now: now) else { return }
        if purpose == .writeBack {
            isWriteTurn = false
            writes.begin(now: now)
        } else {
            turn = turn.next
            isWriteTurn = true
            if recorder.peers.isCandidate(peer) { probes.begin(now: now) }
        }
        begin(peer, for: purpose, recorder: &recorder, policy: context.policy, now: now)
    }

    /// Reading and writing back take turns, so that neither waits for ever for the other.
    private mutating func nextTarget(
        links: borrowing LinkTable, recorder: inout Recorder, context: borrowing RadioContext, now: Instant
    ) -> (DeviceAddress, Purpose)? {
        if isWriteTurn,
            let peer = nextWriteTarget(links: links, recorder: &recorder, context, now: now)
        {
            return (peer, .writeBack)
        }
        let peer =
            fruitless.allowsAttempt(now: now)
            ? context.policy.nextPeer(
                in: recorder.peers, recorder.exchanges,
                turn: fruitless.isNearLimit(now: now) ? .longestKnown : turn, now: now,
                allowsCandidates: probes.allowsProbe(now: now),
                excluding: { links.isConnected(to: $0) }) : nil
        if let peer { return (peer, .identity) }
        guard !isWriteTurn else { return nil }
        return nextWriteTarget(links: links, recorder: &recorder, context, now: now).map {
            ($0, .writeBack)
        }
    }

    @inline(never)
    private mutating func nextWriteTarget(
        links: borrowing LinkTable, recorder: inout Recorder, _ context: borrowing RadioContext, now: Instant
    ) -> DeviceAddress? {
        // While a peer waits for a slot, each choice searches again.
        guard now >= nextWriteChoice || waitingSince != nil,
            writes.allowsProbe(now: now)
        else { return nil }
        nextWriteChoice = now + Self.writeChoiceInterval
        return context.policy.nextWriteBack(
            in: recorder.peers, recorder.exchanges, &recorder.writeBacks, context.writeBackRules,
            now: now, excluding: { links.isConnected(to: $0) })
    }

    // MARK: The attempt

    private mutating func begin(
        _ peer: DeviceAddress, for purpose: Purpose, recorder: inout Recorder, policy: LinkPolicy,
        now: Instant
    ) {
        recorder.exchanges.start(with: peer, in: &recorder.peers)
        pause.recordStart(now: now)
        waitingSince = nil
        isSlotReserved = false
        self.purpose = purpose
        start = now
        let timeout = policy.connectTimeout(
            isCandidate: recorder.peers.isCandidate(peer),
            hasFailed: recorder.exchanges.hasFailed(peer, in: recorder.peers))
        state = .wanted(peer, deadline: now + timeout)
    }

    /// The peer of an attempt that waits only for scanning and advertising to stop. LE Create Connection
    /// counts as sent.
    mutating func commandCreation() -> DeviceAddress? {
        guard case .wanted(let peer, let deadline) = state else { return nil }
        state = .asked(peer, deadline: deadline)
        return peer
    }

    /// Whether LE Create Connection Cancel is due. It counts as sent.
    mutating func commandCancellation(now: Instant) -> Bool {
        if role.takeCancellation() { return true }
        guard case .overdue(let peer) = state else { return false }
        state = .cancelled(peer, deadline: now + 2 * CommandSlot.timeout, isRefused: false)
        return true
    }

    /// Processes the answer to LE Create Connection Cancel. A refusal says that no attempt was left: it has
    /// ended, or its Connection Complete is on the way.
    mutating func cancellationAnswered(_ status: Status, now: Instant) {
        guard status != .success, case .cancelled(let peer, _, _) = state else { return }
        state = .cancelled(peer, deadline: now + .seconds(1), isRefused: true)
    }

    /// Watches the attempt's deadlines.
    /// - Returns: false if a cancelled attempt has not ended with a Connection Complete: the controller is
    ///   stuck.
    mutating func advance(
        links: inout LinkTable, recorder: inout Recorder, context: inout RadioContext, now: Instant
    ) -> Bool {
        switch state {
        case .idle: choose(links: &links, recorder: &recorder, context: context, now: now)
        case .wanted(let peer, let deadline):
            if now >= deadline {
                fail(with: peer, recorder: &recorder, context: &context, now: now)
            }
        case .asked(let peer, let deadline): if now >= deadline { state = .overdue(peer) }
        case .overdue: break
        case .cancelled(let peer, let deadline, let isRefused):
            guard now >= deadline else { return true }
            guard isRefused else { return false }
            fail(with: peer, recorder: &recorder, context: &context, now: now)
        }
        return true
    }

    /// The attempt that a Connection Complete ends. A link to another peer does not: an earlier attempt has
    /// made it that seemed to have failed, and the controller still attempts this one. Only the
    /// address counts, and not its type: some controllers report another type than the host has given them.
    mutating func takeCompleted(by connection: ConnectionComplete) -> DeviceAddress? {
        switch state {
        case .asked(let peer, _), .overdue(let peer), .cancelled(let peer, _, _):
            guard connection.status != .success || connection.peer.value == peer.value else { return nil }
            state = .idle
            return peer
        case .idle, .wanted: return nil
        }
    }

    /// Processes the answer to LE Create Connection.
    mutating func creationAnswered(
        _ opCode: OpCode, _ status: Status, besideLinks count: Int, recorder: inout Recorder,
        context: inout RadioContext, now: Instant
    ) {
        guard status != .success else { return role.accept() }
        if status == .connectionLimitExceeded, count > 0 { refusedLinkCount = count }
        switch state {
        case .asked(let peer, _), .overdue(let peer):
            if refusedLinkCount != count {
                role.recordRefusal(opCode, status, of: peer, now: now)
            }
            fail(with: peer, recorder: &recorder, context: &context, now: now)
        case .idle, .wanted, .cancelled: break
        }
    }

    /// Gives up the attempt at a peer that has connected to the board in the meantime.
    mutating func cancel(ifTo peer: DeviceAddress) {
        switch state {
        case .wanted(peer, _): state = .idle
        case .asked(peer, _): state = .overdue(peer)
        case .idle, .wanted, .asked, .overdue, .cancelled: break
        }
    }

    /// Gives up the attempt because the board's address is about to change. A controller that is connecting
    /// keeps its address.
    mutating func cancelForRotation(recorder: inout Recorder, context: inout RadioContext, now: Instant) {
        switch state {
        case .wanted(let peer, _):
            fail(with: peer, recorder: &recorder, context: &context, now: now)
        case .asked(let peer, _): state = .overdue(peer)
        case .idle, .overdue, .cancelled: break
        }
    }

    /// Records that an attempt failed. The pause after it is as long as the attempt, because scanning stopped
    /// for it, and up to half as long again: two boards that attempt each other at the same time hear
    /// nothing, and would otherwise stay in step.
    mutating func fail(
        with peer: DeviceAddress, recorder: inout Recorder, context: inout RadioContext, now: Instant
    ) {
        state = .idle
        let took = now - start
        pause.recordFailure(after: took, now: now, jitter: context.jitter.next())
        recorder.exchanges.fail(with: peer, in: recorder.peers, now: now, jitter: context.jitter.next())
        switch purpose {
        // Probes of candidates have a budget of their own.
        case .identity: if !recorder.peers.isCandidate(peer) { fruitless.record(took, now: now) }
        case .message(let key):
            context.messages.attemptFailed(
                with: key, isForGood: false, now: now, jitter: context.jitter.next())
        case .writeBack:
            recorder.writeBacks.fail(to: peer, in: recorder.peers, now: now, jitter: context.jitter.next())
        }
    }

    /// Ends any attempt, and forgets what the controller has shown since its last reset.
    mutating func reset(recorder: inout Recorder, context: inout RadioContext, now: Instant) {
        switch state {
        case .idle: break
        case .wanted(let peer, _), .asked(let peer, _), .overdue(let peer), .cancelled(let peer, _, _):
            fail(with: peer, recorder: &recorder, context: &context, now: now)
        }
        state = .idle
        pause = AttemptPause()
        waitingSince = nil
        isSlotReserved = false
        refusedLinkCount = .max
        role.reset()
    }

    /// Makes the next choice due immediately, for a message that has just been queued.
    mutating func hurry() { choicePausedUntil = .start }
}
