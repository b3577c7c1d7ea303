import DeviceSync
import EncounterLog
import FixedMemory
import HCI
import Peers
import Protocols

/// A controller behind a transport, with the supervision that keeps it at work: it exchanges packets,
/// judges the radio's health once a second, climbs the recovery ladder, and keeps the record of coverage.
///
/// It reports to a ``RadioLog`` and a ``RadioBoard``, in the order of the events.
public struct SupervisedRadio<Transport: PacketRadio & ~Copyable>: ~Copyable {
    var transport: Transport
    package internal(set) var controller: RadioController
    var supervisor: RadioSupervisor
    var health = RadioHealth()
    private var coverage: CoverageKeeper
    private var nextHealthCheck = Instant.start
    /// When the next renewal is due; ``Instant/start`` for now, with the scan, whatever is heard.
    var nextRenewal = Instant.start
    /// When the radio that has come up is reported to the operator at the latest; it is reported earlier if
    /// it scans or advertises earlier.
    var upNotice: Instant?
    /// Until this time the radio sends no command, unless a packet comes that is not an advertising report.
    private var restUntil = Instant.start
    /// Whether no rung of the ladder has helped, for as long as the settings allow.
    package internal(set) var isLost = false

    static var healthInterval: Interval { .seconds(1) }

    /// - Parameters:
    ///   - giveUpMinutes: the time after which a radio that does not come back counts as lost; 0 for never.
    ///   - isUsed: false leaves the controller alone.
    package init(
        transport: consuming Transport, controller: consuming RadioController, giveUpMinutes: UInt16,
        isUsed: Bool, now: Instant
    ) {
        self.transport = transport
        self.controller = controller
        supervisor = RadioSupervisor(giveUpMinutes: giveUpMinutes, now: now)
        if !isUsed { supervisor.status.state = .unused }
        coverage = CoverageKeeper(now: now)
    }

    /// The state of the recovery, and how often each rung was taken.
    package var status: RadioStatus { supervisor.status }
    /// The number of times the controller was brought up again.
    package var restartCount: UInt32 { supervisor.restarts }
    /// Whether the radio is well, has been so for some time, and only scans and advertises.
    package var isAtRest: Bool {
        mutating get { !isUsed || supervisor.isSteady && controller.isAtRest }
    }
    private var isUsed: Bool { supervisor.status.state != .unused }

    /// Takes the packets that have come, sends those that are due, and does what the supervisor wants.
    /// - Returns: when to call again at the latest; `now` if there is more to do.
    package mutating func step<Log: RadioLog & ~Copyable, Board: RadioBoard>(
        recorder: inout Recorder, log: inout Log, board: inout Board, now: Instant
    ) -> Instant {
        guard isUsed else { return .distantFuture }
        var isBusy = false
        if supervisor.isOpen {
            do throws(RadioError) {
                isBusy = try exchangePackets(recorder: &recorder, log: &log, now: now)
            } catch {
                fail(.transport(error), recorder: &recorder, log: &log, now: now)
            }
        }
        if now >= nextHealthCheck {
            nextHealthCheck = now + Self.healthInterval
            checkHealth(recorder: recorder, log: &log, now: now)
        }
        while !isLost, let action = supervisor.nextAction(now: now) {
            perform(action, recorder: &recorder, log: &log, board: &board, now: now)
            logEntry(in: &log, now: now)
            isBusy = true
        }
        reportUpIfDue(to: &board, now: now)
        return isBusy ? now : controller.nextAdvertChange(after: now)
    }

    // MARK: Rest

    /// Whether no command is due. Only a packet that is not an advertising report can change that.
    func isResting(now: Instant) -> Bool { now < restUntil }

    /// Lets the controller rest until something is due. Most steps of a board bring reports and nothing else,
    /// so the agent need not compute the plan in each step.
    mutating func rest(now: Instant) {
        // While the transport is full, commands may wait.
        restUntil =
            transport.isReadyToSend ? controller.nextCommandDue(after: now) : .start
    }

    /// Ends the rest: something has changed, so a command may be due.
    mutating func wake() { restUntil = .start }

    // MARK: Requests of the agent

    /// Changes the identity, now or as soon as the controller has the new address.
    package mutating func rotateIdentity(_ identity: OwnIdentity, recorder: inout Recorder, now: Instant) {
        wake()
        controller.rotateIdentity(identity, recorder: &recorder, now: now)
    }

    /// The identity in Exposure Notification; nil while there is none.
    package mutating func setBroadcast(_ broadcast: ExposureBroadcast?) {
        wake()
        controller.context.own.broadcast = broadcast
    }

    /// Tells the schemes' servers the difference between wall-clock and monotonic time; nil while it is
    /// unknown.
    package mutating func setWallClockOffset(_ offset: ClockOffset?) {
        controller.context.server.wallClockOffset = offset
    }

    /// Queues an immediate message. A repeated request is answered as before.
    package mutating func send(
        _ request: MessageRequest, recorder: inout Recorder, now: Instant
    ) -> Result<MessageReport, MessageError> {
        wake()
        return controller.send(request, recorder: &recorder, now: now)
    }

    /// Leaves the controller silent and with power. No other program would do that: a controller behind a
    /// UART would advertise for ever, and one without power would stay without.
    package mutating func stop<Board: RadioBoard>(board: inout Board) {
        guard isUsed else { return }
        if supervisor.isOpen, transport.isReadyToSend { try? transport.send(Command.reset.packet.span) }
        if supervisor.isUnpowered { _ = board.setRadioPower(true) }
    }

    // MARK: Coverage

    /// Logs the coverage that is confirmed by now, if it is long enough or `isWanted`: the open page is
    /// about to be committed or read.
    @inline(never)
    package mutating func logCoverage<Log: RadioLog & ~Copyable>(
        in log: inout Log, counters: RecorderCounters, isWanted: Bool, now: Instant
    ) {
        let isGap = health.isGap(
            controller.statistics, scanStart: controller.schedule.scanner.scanningSince, now: now)
        if isGap, let entry = coverage.interrupt(counters: counters, now: now) {
            log.append(.coverage(entry), now: now)
        }
        let entry = coverage.advance(
            CoverageKeeper.Scan(controller.schedule.scanner, lastGood: controller.statistics.lastGood),
            confirmed: health.confirmation(controller.statistics, proven: lastProof, now: now),
            firstGood: controller.statistics.firstGood, counters: counters,
            isWanted: isWanted, now: now)
        if let entry { log.append(.coverage(entry), now: now) }
    }

    /// Ends the interval of coverage: the scan is not trusted until it is confirmed again.
    @inline(never)
    package mutating func endCoverage<Log: RadioLog & ~Copyable>(
        in log: inout Log, counters: RecorderCounters, now: Instant
    ) {
        if let entry = coverage.end(counters: counters, now: now) {
            log.append(.coverage(entry), now: now)
        }
    }

    /// Ends the coverage of a trusted scan, because the agent is about to stop it.
    @inline(never)
    mutating func endTrustedCoverage<Log: RadioLog & ~Copyable>(
        in log: inout Log, counters: RecorderCounters, now: Instant
    ) {
        guard health.isTrusted else { return }
        logCoverage(in: &log, counters: counters, isWanted: false, now: now)
        endCoverage(in: &log, counters: counters, now: now)
    }

    // Destroyed in one place, because inlined copies enlarge the board's image.
    @inline(never)
    deinit {}
}
