import EncounterLog
import FixedMemory
import HCI
import Peers
import Protocols
import Radio

/// The radio's part of a step: packets in and out, and what the supervisor wants done.
extension Agent {
    private static var packetsPerStep: Int { 64 }
    private static var healthIntervalMilliseconds: UInt64 { 1_000 }
    /// Well within the minute in which a radio must be back.
    private static var quietScanMilliseconds: UInt64 { 45_000 }
    /// How long the agent waits for scanning and advertising before it reports that the radio is up.
    private static var upNoticeDelayMilliseconds: UInt64 { 3_000 }

    /// Returns whether there is more to do at once.
    mutating func serveRadio(nowMilliseconds now: UInt64) -> Bool {
        var isBusy = false
        if supervisor.isOpen {
            do throws(RadioError) {
                isBusy = try exchangePackets(nowMilliseconds: now)
            } catch {
                fail(.transport(error), nowMilliseconds: now)
            }
        }
        if now >= nextHealthCheckMilliseconds {
            nextHealthCheckMilliseconds = now + Self.healthIntervalMilliseconds
            controller.setWallClockOffset(
                milliseconds: schemes.wallClockOffset(
                    system: clock.wallClock, toldOffset: store.toldOffsetMilliseconds, nowMilliseconds: now))
            checkHealth(nowMilliseconds: now)
        }
        while ending == nil, let action = supervisor.nextAction(nowMilliseconds: now) {
            perform(action, nowMilliseconds: now)
            logRadioEntry(nowMilliseconds: now)
            isBusy = true
        }
        reportUpIfDue(nowMilliseconds: now)
        return isBusy
    }

    private mutating func exchangePackets(nowMilliseconds now: UInt64) throws(RadioError) -> Bool {
        // What comes when an answer is overdue is not trusted, unless it is there itself.
        if controller.isAnswerOverdue(nowMilliseconds: now) { confirmBeforeFault(nowMilliseconds: now) }
        var received = 0
        while received < Self.packetsPerStep, try radio.receive() {
            received += 1
            let notice = controller.receive(radio.packet, recorder: &recorder, nowMilliseconds: now)
            if let notice { note(notice, nowMilliseconds: now) }
            try sendWaiting(nowMilliseconds: now)
        }
        let hasTakenAll = received < Self.packetsPerStep
        let notice = controller.advance(
            recorder: &recorder, hasTakenAll: hasTakenAll, nowMilliseconds: now)
        if let notice { note(notice, nowMilliseconds: now) }
        try sendWaiting(nowMilliseconds: now)
        return !hasTakenAll
    }

    private mutating func sendWaiting(nowMilliseconds now: UInt64) throws(RadioError) {
        var packet = FixedBuffer<1100>()
        while radio.isReadyToSend, controller.takePacket(nowMilliseconds: now, into: &packet) {
            try radio.send(packet.span)
        }
    }

    private mutating func note(_ notice: RadioController.Notice, nowMilliseconds now: UInt64) {
        switch notice {
        case .up:
            supervisor.noteUp(nowMilliseconds: now)
            renew(nowMilliseconds: now)
            upNoticeMilliseconds = now + Self.upNoticeDelayMilliseconds
            logIdentity(nowMilliseconds: now)
        case .addressChanged: logIdentity(nowMilliseconds: now)
        case .down(let fault):
            fail(fault, nowMilliseconds: now)
        }
    }

    /// The controller cannot be worked with.
    private mutating func fail(_ fault: RadioFault, nowMilliseconds now: UInt64) {
        if !fault.isOverdueAnswer { confirmBeforeFault(nowMilliseconds: now) }
        endCoverage(nowMilliseconds: now)
        controller.halt(recorder: &recorder, nowMilliseconds: now)
        supervisor.note(fault, expectation: health.expectation, nowMilliseconds: now)
        health.noteHardFault(fault)
        renew(nowMilliseconds: now)
    }

    /// Takes what has come until now for coverage.
    private mutating func confirmBeforeFault(nowMilliseconds now: UInt64) {
        health.recheck(observation, peers: recorder.peers)
        keepCoverage(isWanted: false, nowMilliseconds: now)
    }

    // MARK: Health

    private mutating func checkHealth(nowMilliseconds now: UInt64) {
        guard supervisor.isOpen, controller.state == .running else { return }
        let doubt = health.advance(observation, peers: recorder.peers, nowMilliseconds: now)
        if let doubt {
            if !doubt.sparesReadings { endCoverage(nowMilliseconds: now) }
            supervisor.note(doubt, expectation: health.expectation, nowMilliseconds: now)
            renew(nowMilliseconds: now)
        }
        renewQuietScan(nowMilliseconds: now)
        let hearing = controller.statistics
        supervisor.noteHealth(
            isWell: health.doubt == nil,
            sinceMilliseconds: hearing.firstGoodMilliseconds
                ?? health.confirmation(hearing, nowMilliseconds: now),
            lastGoodMilliseconds: hearing.lastGoodMilliseconds, nowMilliseconds: now)
        logRadioEntry(nowMilliseconds: now)
    }

    /// Nobody can tell a scan that has gone deaf from an empty room. So in the normal round, and without a word, a scan that
    /// hears nobody is set up anew now and then: it stops for some milliseconds.
    private mutating func renewQuietScan(nowMilliseconds now: UInt64) {
        guard health.doubt == nil, supervisor.fault == nil, controller.roles.isSurelyScanning else { return }
        let last = max(
            controller.statistics.lastGoodMilliseconds ?? 0, controller.roles.startAskedMilliseconds)
        if now >= last + Self.quietScanMilliseconds { controller.roles.restartScan() }
    }

    private var observation: RadioHealth.Observation {
        RadioHealth.Observation(
            hearing: controller.statistics, isScanning: controller.roles.isScanning,
            hasRoles: controller.hasRoles, refusal: controller.roles.refusal,
            scanStarts: controller.roles.sharing == .together && !controller.takesExposureTurns
                ? controller.roles.scanStarts : 0, moves: recorder.peers.moveCount,
            skippedByteCount: radio.skippedByteCount, malformedEvents: controller.counters.malformedEvents)
    }

    /// What comes from now on tells whether the radio is well.
    private mutating func renew(nowMilliseconds now: UInt64) {
        controller.statistics.noteRenewal()
        health.noteRenewal(observation, nowMilliseconds: now)
    }

    // MARK: What the supervisor wants

    private mutating func perform(_ action: RadioSupervisor.Action, nowMilliseconds now: UInt64) {
        switch action {
        case .restartScan:
            report(.restartScan)
            controller.roles.restartScan()
            renew(nowMilliseconds: now)
        case .restartRoles:
            report(.restartRoles)
            controller.roles.restartBoth()
            controller.additionalSets.restart()
            renew(nowMilliseconds: now)
        case .reset:
            if supervisor.fault == nil { board.report(.emptyRoomRechecked) }
            report(.reset)
            endTrustedCoverage(nowMilliseconds: now)
            controller.restart(recorder: &recorder, nowMilliseconds: now)
            renew(nowMilliseconds: now)
        case .close:
            report(.reopen)
            leaveTransport(nowMilliseconds: now)
        case .open: reopenRadio(nowMilliseconds: now)
        case .powerOff:
            leaveTransport(nowMilliseconds: now)
            let hasWorked = board.setRadioPower(false)
            supervisor.notePowerOff(hasWorked: hasWorked, nowMilliseconds: now)
            report(hasWorked ? .powerCycle : .reopen)
        case .powerOn:
            let hasWorked = board.setRadioPower(true)
            supervisor.notePowerOn(hasWorked: hasWorked, nowMilliseconds: now)
            if !hasWorked { board.report(.radioPowerNotRestored) }
        case .assumeEmptyRoom:
            health.dismiss()
            endCoverage(nowMilliseconds: now)
            board.report(.emptyRoomAssumed)
        case .giveUp:
            report(.giveUp)
            ending = .radioLost
        }
    }

    /// A doubted scan may be on until now.
    private mutating func leaveTransport(nowMilliseconds now: UInt64) {
        endTrustedCoverage(nowMilliseconds: now)
        controller.halt(recorder: &recorder, nowMilliseconds: now)
        radio.close()
        renew(nowMilliseconds: now)
    }

    /// A radio that is well but for its mode is about to be stopped.
    private mutating func endTrustedCoverage(nowMilliseconds now: UInt64) {
        guard health.isTrusted else { return }
        keepCoverage(isWanted: false, nowMilliseconds: now)
        endCoverage(nowMilliseconds: now)
    }

    private mutating func reopenRadio(nowMilliseconds now: UInt64) {
        do throws(RadioError) {
            try radio.reopen()
            supervisor.noteOpened(nowMilliseconds: now)
            controller.restart(recorder: &recorder, nowMilliseconds: now)
        } catch {
            supervisor.noteNotOpened(.transport(error), nowMilliseconds: now)
        }
    }

    private mutating func logRadioEntry(nowMilliseconds now: UInt64) {
        if let entry = supervisor.takeEntry() { store.keeper.append(.radio(entry), nowMilliseconds: now) }
    }

    // MARK: Notices

    private mutating func report(_ rung: RecoveryRung) {
        if let fault = supervisor.fault { board.report(.radioRecovery(fault, rung)) }
    }

    private mutating func reportUpIfDue(nowMilliseconds now: UInt64) {
        guard let deadline = upNoticeMilliseconds else { return }
        guard controller.state == .running else {
            upNoticeMilliseconds = nil
            return
        }
        guard controller.hasRoles && controller.roles.isAnyOn || now >= deadline else { return }
        upNoticeMilliseconds = nil
        let information = controller.information
        var restrictions = RadioUpNotice.Restrictions.none
        if information.hasPlaceholderAddress { restrictions.insert(.firmwarePatchMissing) }
        if controller.roles.cannotAdvertise { restrictions.insert(.cannotAdvertise) }
        if controller.roles.sharing == .timeMultiplexed { restrictions.insert(.timeMultiplexed) }
        if !controller.settings.scans { restrictions.insert(.scanningDisabled) }
        if !controller.settings.advertises { restrictions.insert(.advertisingDisabled) }
        board.report(
            .radioUp(
                RadioUpNotice(
                    address: controller.address, hciVersion: information.hciVersion,
                    manufacturer: information.manufacturer, firmware: information.firmware,
                    restrictions: restrictions)))
    }
}
