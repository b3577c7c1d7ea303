import EncounterLog
import FixedMemory
import HCI
import Peers
import Protocols

/// Packets in and out, and failures of the controller.
extension SupervisedRadio where Transport: ~Copyable {
    private static var packetsPerStep: Int { 64 }
    /// How long the radio may take to scan and advertise. After that it is reported as up even if it does
    /// neither.
    private static var upNoticeDelay: Interval { .seconds(3) }

    /// Takes packets, at most ``packetsPerStep``, and sends what is due.
    /// - Returns: whether more packets may wait.
    mutating func exchangePackets<Log: RadioLog & ~Copyable>(
        recorder: inout Recorder, log: inout Log, now: Instant
    ) throws(RadioError) -> Bool {
        // Reports that come while an answer is overdue are not trusted, unless the answer itself has come.
        if controller.isAnswerOverdue(now: now) {
            confirmBeforeFault(recorder: recorder, log: &log, now: now)
        }
        var received = 0
        while received < Self.packetsPerStep, try transport.receive() {
            received += 1
            let isReport = Event.isAdvertisingReport(transport.packet)
            let notice = controller.receive(transport.packet, recorder: &recorder, now: now)
            if let notice { take(notice, recorder: &recorder, log: &log, now: now) }
            if isReport { continue }
            wake()
            try sendWaiting(now: now)
        }
        let hasTakenAll = received < Self.packetsPerStep
        if isResting(now: now) { return !hasTakenAll }
        let notice = controller.advance(recorder: &recorder, hasTakenAll: hasTakenAll, now: now)
        if let notice { take(notice, recorder: &recorder, log: &log, now: now) }
        try sendWaiting(now: now)
        rest(now: now)
        return !hasTakenAll
    }

    @inline(never)
    private mutating func sendWaiting(now: Instant) throws(RadioError) {
        var packet = FixedBuffer<1100>()
        while transport.isReadyToSend, controller.takePacket(now: now, into: &packet) {
            try transport.send(packet.span)
        }
    }

    private mutating func take<Log: RadioLog & ~Copyable>(
        _ notice: RadioController.Notice, recorder: inout Recorder, log: inout Log, now: Instant
    ) {
        switch notice {
        case .up:
            supervisor.didComeUp(now: now)
            recordRenewal(recorder: recorder, now: now)
            upNotice = now + Self.upNoticeDelay
            nextRenewal = now + Self.renewalInterval
            log.append(controller.identity, now: now)
        case .addressChanged: log.append(controller.identity, now: now)
        case .scanLost: distrustScan(in: &log, counters: recorder.counters, now: now)
        case .down(let fault): fail(fault, recorder: &recorder, log: &log, now: now)
        }
    }

    /// Gives the controller up until the next rung of the ladder: the agent cannot work with it.
    @inline(never)
    mutating func fail<Log: RadioLog & ~Copyable>(
        _ fault: RadioFault, recorder: inout Recorder, log: inout Log, now: Instant
    ) {
        if !fault.isOverdueAnswer {
            confirmBeforeFault(recorder: recorder, log: &log, now: now)
        }
        endCoverage(in: &log, counters: recorder.counters, now: now)
        controller.halt(recorder: &recorder, now: now)
        supervisor.handle(fault, expectation: health.expectation, now: now)
        health.recordHardFault(fault)
        recordRenewal(recorder: recorder, now: now)
    }

    /// Logs the coverage that the reports up to now confirm.
    @inline(never)
    private mutating func confirmBeforeFault<Log: RadioLog & ~Copyable>(
        recorder: borrowing Recorder, log: inout Log, now: Instant
    ) {
        health.recheck(observation(recorder, now: now), peers: recorder.peers)
        logCoverage(in: &log, counters: recorder.counters, isWanted: false, now: now)
    }
}
