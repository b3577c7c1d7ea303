import EncounterLog
import FixedMemory
import HCI
import Peers
import Protocols

/// Packets in and out, and failures of the controller.
extension SupervisedRadio where Transport: ~Copyable {
    private static var packetsPerStep: Int { 64 }
    /// How long the radio may take to scan and advertise before it is reported as up without.
    private static var upNoticeDelayMilliseconds: UInt64 { 3_000 }

    /// Takes packets, at most ``packetsPerStep``, and sends what is due.
    /// - Returns: whether more packets may wait.
    mutating func exchangePackets<Log: RadioLog & ~Copyable>(
        recorder: inout Recorder, log: inout Log, nowMilliseconds now: UInt64
    ) throws(RadioError) -> Bool {
        // Reports that come while an answer is overdue are not trusted, unless the answer itself has come.
        if controller.isAnswerOverdue(nowMilliseconds: now) {
            confirmBeforeFault(recorder: recorder, log: &log, nowMilliseconds: now)
        }
        var received = 0
        while received < Self.packetsPerStep, try transport.receive() {
            received += 1
            let isReport = Event.isAdvertisingReport(transport.packet)
            let notice = controller.receive(transport.packet, recorder: &recorder, nowMilliseconds: now)
            if let notice { take(notice, recorder: &recorder, log: &log, nowMilliseconds: now) }
            if isReport { continue }
            wake()
            try sendWaiting(nowMilliseconds: now)
        }
        let hasTakenAll = received < Self.packetsPerStep
        if isResting(nowMilliseconds: now) { return !hasTakenAll }
        let notice = controller.advance(recorder: &recorder, hasTakenAll: hasTakenAll, nowMilliseconds: now)
        if let notice { take(notice, recorder: &recorder, log: &log, nowMilliseconds: now) }
        try sendWaiting(nowMilliseconds: now)
        rest(nowMilliseconds: now)
        return !hasTakenAll
    }

    @inline(never)
    private mutating func sendWaiting(nowMilliseconds now: UInt64) throws(RadioError) {
        var packet = FixedBuffer<1100>()
        while transport.isReadyToSend, controller.takePacket(nowMilliseconds: now, into: &packet) {
            try transport.send(packet.span)
        }
    }

    private mutating func take<Log: RadioLog & ~Copyable>(
        _ notice: RadioController.Notice, recorder: inout Recorder, log: inout Log,
        nowMilliseconds now: UInt64
    ) {
        switch notice {
        case .up:
            supervisor.noteUp(nowMilliseconds: now)
            noteRenewal(recorder: recorder, nowMilliseconds: now)
            upNoticeMilliseconds = now + Self.upNoticeDelayMilliseconds
            log.append(controller.identity, nowMilliseconds: now)
        case .addressChanged: log.append(controller.identity, nowMilliseconds: now)
        case .down(let fault): fail(fault, recorder: &recorder, log: &log, nowMilliseconds: now)
        }
    }

    /// Gives the controller up until the next rung of the ladder: the agent cannot work with it.
    @inline(never)
    mutating func fail<Log: RadioLog & ~Copyable>(
        _ fault: RadioFault, recorder: inout Recorder, log: inout Log, nowMilliseconds now: UInt64
    ) {
        if !fault.isOverdueAnswer {
            confirmBeforeFault(recorder: recorder, log: &log, nowMilliseconds: now)
        }
        endCoverage(in: &log, counters: recorder.counters, nowMilliseconds: now)
        controller.halt(recorder: &recorder, nowMilliseconds: now)
        supervisor.note(fault, expectation: health.expectation, nowMilliseconds: now)
        health.noteHardFault(fault)
        noteRenewal(recorder: recorder, nowMilliseconds: now)
    }

    /// Logs the coverage that the reports up to now confirm.
    @inline(never)
    private mutating func confirmBeforeFault<Log: RadioLog & ~Copyable>(
        recorder: borrowing Recorder, log: inout Log, nowMilliseconds now: UInt64
    ) {
        health.recheck(observation(recorder), peers: recorder.peers)
        logCoverage(in: &log, counters: recorder.counters, isWanted: false, nowMilliseconds: now)
    }
}
