import DeviceSync
import EncounterLog
import FixedMemory
import HCI
import Peers
import Protocols

/// A controller behind a transport, with the supervision that keeps it at work: it exchanges packets,
/// judges the radio's health once a second, climbs the recovery ladder, and keeps the record of coverage.
///
/// What it has to say goes to a ``RadioLog`` and a ``RadioBoard``, in the order in which it happened.
public struct SupervisedRadio<Transport: PacketRadio & ~Copyable>: ~Copyable {
    var transport: Transport
    package internal(set) var controller: RadioController
    var supervisor: RadioSupervisor
    var health = RadioHealth()
    private var coverage: CoverageKeeper
    private var nextHealthCheckMilliseconds: UInt64 = 0
    /// The radio is up: it is reported when it scans or advertises, or at this time.
    var upNoticeMilliseconds: UInt64?
    /// The controller is told nothing before this time, if nothing comes but advertising reports.
    private var restUntilMilliseconds: UInt64 = 0
    /// When the adverts are to change next, as it was known when the rest began.
    private var turnMilliseconds: UInt64 = 0
    /// Every rung of the ladder was in vain, for as long as the settings allow.
    package internal(set) var isLost = false

    private static var healthIntervalMilliseconds: UInt64 { 1_000 }

    /// - Parameter giveUpMinutes: the time after which a radio that does not come back counts as lost; 0
    ///   for never.
    package init(
        transport: consuming Transport, controller: consuming RadioController, giveUpMinutes: UInt16,
        nowMilliseconds now: UInt64
    ) {
        self.transport = transport
        self.controller = controller
        supervisor = RadioSupervisor(giveUpMinutes: giveUpMinutes, nowMilliseconds: now)
        coverage = CoverageKeeper(nowMilliseconds: now)
    }

    /// What the ladder has come to.
    package var status: RadioStatus { supervisor.status }
    /// How often the controller was brought up anew.
    package var restartCount: UInt32 { supervisor.restarts }
    /// Whether nothing is wrong, nothing was lately, and nothing is going on but scanning and advertising.
    package var isAtRest: Bool { mutating get { supervisor.isSteady && controller.isAtRest } }

    /// Takes the packets that have come, sends those that are due, and does what the supervisor wants.
    /// - Returns: when to call again at the latest, in monotonic milliseconds: `now` if there is more to do
    ///   at once.
    package mutating func step<Log: RadioLog & ~Copyable, Board: RadioBoard>(
        recorder: inout Recorder, log: inout Log, board: inout Board, nowMilliseconds now: UInt64
    ) -> UInt64 {
        var isBusy = false
        if supervisor.isOpen {
            do throws(RadioError) {
                isBusy = try exchangePackets(recorder: &recorder, log: &log, nowMilliseconds: now)
            } catch {
                fail(.transport(error), recorder: &recorder, log: &log, nowMilliseconds: now)
            }
        }
        if now >= nextHealthCheckMilliseconds {
            nextHealthCheckMilliseconds = now + Self.healthIntervalMilliseconds
            checkHealth(recorder: recorder, log: &log, nowMilliseconds: now)
        }
        while !isLost, let action = supervisor.nextAction(nowMilliseconds: now) {
            perform(action, recorder: &recorder, log: &log, board: &board, nowMilliseconds: now)
            logEntry(in: &log, nowMilliseconds: now)
            isBusy = true
        }
        reportUpIfDue(to: &board, nowMilliseconds: now)
        if isBusy { return now }
        return isResting(nowMilliseconds: now)
            ? turnMilliseconds : controller.nextTurnMilliseconds(after: now)
    }

    // MARK: Rest

    /// Whether the controller has nothing to be told, unless something other than advertising reports
    /// comes.
    func isResting(nowMilliseconds now: UInt64) -> Bool { now < restUntilMilliseconds }

    /// Lets the controller rest for as long as nothing is due. Most steps of a board bring reports and
    /// nothing else, and need no look at what the controller should do.
    mutating func rest(nowMilliseconds now: UInt64) {
        turnMilliseconds = controller.nextTurnMilliseconds(after: now)
        // While the transport is full, commands may wait.
        restUntilMilliseconds =
            transport.isReadyToSend
            ? min(turnMilliseconds, controller.nextCommandMilliseconds(after: now)) : 0
    }

    /// Something has changed, so the controller may have to be told something.
    mutating func wake() { restUntilMilliseconds = 0 }

    // MARK: What the agent asks for

    /// Changes the identity, now or as soon as the controller has the new address.
    package mutating func rotateIdentity(
        _ identity: OwnIdentity, recorder: inout Recorder, nowMilliseconds now: UInt64
    ) {
        wake()
        controller.rotateIdentity(identity, recorder: &recorder, nowMilliseconds: now)
    }

    /// The identity in Exposure Notification; nil while there is none.
    package mutating func setBroadcast(_ broadcast: ExposureBroadcast?) {
        wake()
        controller.context.own.broadcast = broadcast
    }

    /// Tells the schemes' servers the difference between wall-clock and monotonic time; nil while it is
    /// unknown.
    package mutating func setWallClockOffset(milliseconds: UInt64?) {
        controller.setWallClockOffset(milliseconds: milliseconds)
    }

    /// Queues an immediate message. A repeated request is answered as before.
    package mutating func send(
        _ request: MessageRequest, recorder: inout Recorder, nowMilliseconds now: UInt64
    ) -> Result<MessageReport, MessageError> {
        wake()
        return controller.send(request, recorder: &recorder, nowMilliseconds: now)
    }

    /// Leaves the controller silent and with power, because nobody else would switch it off or on: a
    /// controller behind a UART would go on advertising without the board.
    package mutating func stop<Board: RadioBoard>(board: inout Board) {
        if supervisor.isOpen, transport.isReadyToSend { try? transport.send(Command.reset.packet.span) }
        if supervisor.isUnpowered { _ = board.setRadioPower(true) }
    }

    // MARK: Coverage

    /// Logs the coverage that is confirmed by now, if it is long enough or `isWanted`: the open page is
    /// about to be committed or read.
    @inline(never)
    package mutating func logCoverage<Log: RadioLog & ~Copyable>(
        in log: inout Log, counters: RecorderCounters, isWanted: Bool, nowMilliseconds now: UInt64
    ) {
        let isGap = health.isGap(
            controller.statistics,
            scanStartMilliseconds: controller.schedule.scanner.scanningSinceMilliseconds,
            nowMilliseconds: now)
        if isGap { endCoverage(in: &log, counters: counters, nowMilliseconds: now) }
        let entry = coverage.advance(
            CoverageKeeper.Scan(
                controller.schedule.scanner,
                lastGoodMilliseconds: controller.statistics.lastGoodMilliseconds),
            confirmedMilliseconds: health.confirmation(controller.statistics, nowMilliseconds: now),
            firstGoodMilliseconds: controller.statistics.firstGoodMilliseconds, counters: counters,
            isWanted: isWanted, nowMilliseconds: now)
        if let entry { log.append(.coverage(entry), nowMilliseconds: now) }
    }

    /// Ends the interval of coverage: the scan is not trusted until it is confirmed anew.
    @inline(never)
    package mutating func endCoverage<Log: RadioLog & ~Copyable>(
        in log: inout Log, counters: RecorderCounters, nowMilliseconds now: UInt64
    ) {
        if let entry = coverage.end(counters: counters, nowMilliseconds: now) {
            log.append(.coverage(entry), nowMilliseconds: now)
        }
    }

    /// A radio that is well except for its scan mode is about to be stopped.
    @inline(never)
    mutating func endTrustedCoverage<Log: RadioLog & ~Copyable>(
        in log: inout Log, counters: RecorderCounters, nowMilliseconds now: UInt64
    ) {
        guard health.isTrusted else { return }
        logCoverage(in: &log, counters: counters, isWanted: false, nowMilliseconds: now)
        endCoverage(in: &log, counters: counters, nowMilliseconds: now)
    }

    // The type is destroyed in one place, which keeps the image small.
    @inline(never)
    deinit {}
}
