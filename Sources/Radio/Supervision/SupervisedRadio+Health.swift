import EncounterLog
import FixedMemory
import HCI
import Peers

/// The radio's health, and the rungs of the recovery ladder.
extension SupervisedRadio where Transport: ~Copyable {
    /// The pause between two renewals, each of which tells the controller everything again.
    static var renewalInterval: Interval { .seconds(28) }
    /// Only the proof covers the time in a room without expected peers.
    private static var proofInterval: Interval { .seconds(10) }
    private static var proofAge: Interval { .seconds(3) }
    /// A scan that heard a peer so recently needs no renewal.
    private static var recentTime: Interval { .seconds(10) }

    @inline(never)
    mutating func checkHealth<Log: RadioLog & ~Copyable>(
        recorder: borrowing Recorder, log: inout Log, now: Instant
    ) {
        guard supervisor.isOpen else { return }
        let observed = observation(recorder, now: now)
        guard controller.state == .running else {
            return health.hearWhileDown(observed, peers: recorder.peers, now: now)
        }
        let suspectedFault = health.advance(observed, peers: recorder.peers, now: now)
        if let suspectedFault {
            if !suspectedFault.sparesReadings {
                endCoverage(in: &log, counters: recorder.counters, now: now)
            }
            supervisor.handle(suspectedFault, expectation: health.expectation, now: now)
            recordRenewal(recorder: recorder, now: now)
        }
        takeDeparture(in: &log, counters: recorder.counters, now: now)
        advanceDuty(recorder, now: now)
        renewIfDue(now: now)
        let statistics = controller.statistics
        supervisor.recordHealth(
            suspectedFault: health.suspectedFault,
            since: health.wellSince(statistics, proven: lastProof, now: now),
            lastGood: statistics.lastGood, now: now)
        logEntry(in: &log, now: now)
    }

    /// Lets the board listen more while somebody is near, and less while nobody is. A scan that listens less
    /// hears fewer reports, and the fault detection must not take that for a silence.
    private mutating func advanceDuty(_ recorder: borrowing Recorder, now: Instant) {
        let filter = health.duplicateFilter
        let before = controller.duty.advance(
            peers: recorder.peers,
            wantsDenseScan: health.suspectedFault == nil && filter.wantsDenseScan,
            lastRepetition: filter.lastFound, now: now)
        guard let before else { return }
        wake()
        health.recordTimingChange(
            observation(recorder, now: now), isSparser: controller.duty.timing.isSparser(than: before),
            now: now)
    }

    /// Acts on a sudden silence of expected peers. A reset would end the links, so it waits for none.
    private mutating func takeDeparture<Log: RadioLog & ~Copyable>(
        in log: inout Log, counters: RecorderCounters, now: Instant
    ) {
        guard let step = health.nextDepartureStep(now: now) else { return }
        distrustScan(in: &log, counters: counters, now: now)
        guard step == .reset else {
            nextRenewal = .start
            return
        }
        supervisor.recordDeparture(hasLinks: controller.links.count > 0, now: now)
        controller.schedule.scanner.proof.want()
        wake()
    }

    /// Ends the coverage of a scan that is about to be set up again, because it may have been deaf.
    @inline(never)
    mutating func distrustScan<Log: RadioLog & ~Copyable>(
        in log: inout Log, counters: RecorderCounters, now: Instant
    ) {
        endCoverage(in: &log, counters: counters, now: now)
        controller.statistics.recordRenewal()
    }

    /// Tells the controller everything again, as part of the normal round: the roles stop for some
    /// milliseconds, and nothing is logged. Just before, the controller proves the scan that it is in.
    private mutating func renewIfDue(now: Instant) {
        guard health.suspectedFault == nil, isRenewable else { return }
        if health.needsProof,
            controller.schedule.scanner.needsProof(after: Self.proofInterval, now: now)
        {
            wake()
            controller.schedule.scanner.proof.want()
        }
        if health.wantsRenewal { nextRenewal = .start }
        guard now >= nextRenewal else { return }
        wake()
        let isHeard = now < (controller.statistics.lastGood ?? .start) + Self.recentTime
        let tellsScan = !isHeard || nextRenewal == .start
        if tellsScan, controller.schedule.scanner.needsProof(after: Self.proofAge, now: now) {
            return controller.schedule.scanner.proof.want()
        }
        nextRenewal = now + Self.renewalInterval
        controller.renew(tellsScan: tellsScan)
    }

    /// Whether the roles may be set up again now: no attempt and no earlier renewal is in progress.
    private var isRenewable: Bool {
        controller.connector.isIdle && controller.schedule.hasToldAll
            && (controller.schedule.scanner.isSurelyScanning || !controller.settings.scans)
    }

    /// The last moment at which an answer of the controller has shown that it scans. With time-multiplexed
    /// roles any answer does. A controller that has refused its event masks may report nothing at all.
    var lastProof: Instant {
        mutating get {
            // While peers are expected, only reports count, so the steps of a busy room pass this over.
            guard health.needsProof, !controller.information.refusesMask else { return .start }
            let proof = controller.schedule.scanner.proof
            let isPossible =
                proof.isPossible && controller.schedule.sharing == .together
                && !controller.takesExposureSlots
            return isPossible ? proof.latest : controller.statistics.lastAnswer
        }
    }

    @inline(never)
    mutating func observation(_ recorder: borrowing Recorder, now: Instant) -> RadioHealth.Observation {
        let schedule = controller.schedule
        return RadioHealth.Observation(
            statistics: controller.statistics, isScanning: schedule.scanner.isScanning,
            proof: schedule.scanner.proof, hasLinks: controller.links.count > 0,
            hasRoles: controller.hasRoles,
            refusal: schedule.refusal ?? controller.connector.role.refusal(now: now),
            scanStarts: schedule.sharing == .together && !controller.takesExposureSlots
                ? schedule.scanner.startCount : nil,
            isSparse: controller.duty.isSparse,
            moves: recorder.peers.moveCount,
            skippedByteCount: transport.skippedByteCount,
            malformedEvents: controller.counters.malformedEvents)
    }

    /// Records that the scan is renewed or suspected. Only later reports show whether the radio is well.
    @inline(never)
    mutating func recordRenewal(recorder: borrowing Recorder, now: Instant) {
        wake()
        controller.statistics.recordRenewal()
        health.recordRenewal(observation(recorder, now: now), now: now)
    }

    mutating func logEntry<Log: RadioLog & ~Copyable>(in log: inout Log, now: Instant) {
        if let entry = supervisor.takeEntry() { log.append(.radio(entry), now: now) }
    }

    // MARK: The recovery ladder

    @inline(never)
    mutating func perform<Log: RadioLog & ~Copyable, Board: RadioBoard>(
        _ action: RadioSupervisor.Action, recorder: inout Recorder, log: inout Log, board: inout Board,
        now: Instant
    ) {
        wake()
        switch action {
        case .restartScan:
            report(.restartScan, to: &board)
            controller.schedule.scanner.restartWithProof()
            recordRenewal(recorder: recorder, now: now)
        case .restartRoles:
            report(.restartRoles, to: &board)
            controller.schedule.restart()
            controller.additionalSets.restart()
            recordRenewal(recorder: recorder, now: now)
        case .reset:
            if supervisor.fault == nil { board.report(.emptyRoomRechecked) }
            report(.reset, to: &board)
            endTrustedCoverage(in: &log, counters: recorder.counters, now: now)
            controller.restart(recorder: &recorder, now: now)
            recordRenewal(recorder: recorder, now: now)
        case .close:
            report(.reopen, to: &board)
            closeTransport(recorder: &recorder, log: &log, now: now)
        case .open: openTransport(recorder: &recorder, now: now)
        case .powerOff:
            closeTransport(recorder: &recorder, log: &log, now: now)
            let hasWorked = board.setRadioPower(false)
            supervisor.didSwitchPowerOff(hasWorked: hasWorked, now: now)
            report(hasWorked ? .powerCycle : .reopen, to: &board)
        case .powerOn:
            let hasWorked = board.setRadioPower(true)
            supervisor.didSwitchPowerOn(hasWorked: hasWorked, now: now)
            if !hasWorked { board.report(.powerNotRestored) }
        case .assumeEmptyRoom:
            health.dismiss()
            endCoverage(in: &log, counters: recorder.counters, now: now)
            board.report(.emptyRoomAssumed)
        case .giveUp:
            report(.giveUp, to: &board)
            isLost = true
        }
    }

    /// Closes the transport. The scan, though suspected, may have worked until now.
    @inline(never)
    private mutating func closeTransport<Log: RadioLog & ~Copyable>(
        recorder: inout Recorder, log: inout Log, now: Instant
    ) {
        endTrustedCoverage(in: &log, counters: recorder.counters, now: now)
        controller.halt(recorder: &recorder, now: now)
        transport.close()
        recordRenewal(recorder: recorder, now: now)
    }

    private mutating func openTransport(recorder: inout Recorder, now: Instant) {
        do throws(RadioError) {
            try transport.reopen()
            supervisor.didOpen(now: now)
            controller.restart(isSameController: false, recorder: &recorder, now: now)
        } catch {
            supervisor.didFailToOpen(.transport(error), now: now)
        }
    }

    // MARK: Notices

    private func report<Board: RadioBoard>(_ rung: RecoveryRung, to board: inout Board) {
        if let fault = supervisor.fault { board.report(.recovery(fault, rung)) }
    }

    @inline(never)
    mutating func reportUpIfDue<Board: RadioBoard>(to board: inout Board, now: Instant) {
        guard let deadline = upNotice else { return }
        guard controller.state == .running else {
            upNotice = nil
            return
        }
        let schedule = controller.schedule
        guard controller.hasRoles && schedule.isAnyOn || now >= deadline else { return }
        upNotice = nil
        let information = controller.information
        var restrictions = RadioUpNotice.Restrictions.none
        if information.hasPlaceholderAddress { restrictions.insert(.firmwarePatchMissing) }
        if information.usesPublicAddress, controller.settings.publicAddressUse == .ifNeeded {
            restrictions.insert(.randomAddressRefused)
        }
        if information.refusesMask { restrictions.insert(.eventMaskRefused) }
        if information.isIncomplete { restrictions.insert(.informationMissing) }
        if schedule.advertiser.cannotAdvertise { restrictions.insert(.cannotAdvertise) }
        if schedule.sharing == .timeMultiplexed { restrictions.insert(.timeMultiplexed) }
        if !controller.settings.scans { restrictions.insert(.scanningDisabled) }
        if !controller.settings.advertises { restrictions.insert(.advertisingDisabled) }
        board.report(
            .up(
                RadioUpNotice(
                    address: controller.address, hciVersion: information.hciVersion,
                    manufacturer: information.manufacturer, firmware: information.firmware,
                    restrictions: restrictions)))
    }
}
