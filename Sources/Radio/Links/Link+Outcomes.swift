import FixedMemory
import GATT
import HCI
import Peers
import Protocols

/// The outcomes of procedures.
extension Link {
    /// Records the outcome of the procedure that has ended, and starts the next.
    mutating func procedureEnded(
        _ event: AttributeClientEvent, recorder: inout Recorder, context: inout RadioContext, now: Instant
    ) {
        if event == .finished, writeNextPiece() { return }
        let procedure = procedures.current
        procedures.current = .none
        switch procedure {
        case .none: break
        case .discovery: discovered(event, recorder: &recorder, context: &context, now: now)
        case .payloadRead: payloadRead(event, recorder: &recorder, context: &context, now: now)
        case .schemeRead(let scheme):
            schemeRead(scheme, event, recorder: &recorder, context: &context, now: now)
        case .schemeWrite(let scheme):
            if event.isLastingRefusal, isOurs {
                recorder.exchanges.markRefused(.writing(scheme), by: peer, in: recorder.peers, now: now)
            }
        case .message(let delivery):
            procedures.signal.didWrite(.immediateSend, isWhole: event == .finished)
            if event == .finished {
                context.messages.delivered(delivery)
                recorder.writeBacks.markAwake(peer, in: recorder.peers, now: now)
            } else if event.isLastingRefusal {
                context.messages.giveUp(delivery)
            } else {
                context.messages.attemptFailed(delivery, now: now, jitter: context.jitter.next())
            }
        case .writeBack(let what):
            if let code = what.code { procedures.signal.didWrite(code, isWhole: event == .finished) }
            if event == .finished {
                context.counters.writesBack &+= 1
                recorder.writeBacks.complete(
                    what, to: peer, in: recorder.peers, context.writeBackRules, now: now)
            } else {
                recorder.writeBacks.fail(
                    to: peer, in: recorder.peers, isLasting: event.isLastingRefusal, now: now,
                    jitter: context.jitter.next())
            }
        case .deviceSearch: if event == .finished { procedures.device.record(gatt.findings) }
        case .deviceRead(let detail):
            if event == .finished, let text = FixedBuffer<512>(gatt.value) {
                recorder.recordDetail(detail, text.span, of: peer, now: now)
            }
        }
        startNextProcedure(recorder: &recorder, context: &context, now: now)
    }

    private mutating func discovered(
        _ event: AttributeClientEvent, recorder: inout Recorder, context: inout RadioContext, now: Instant
    ) {
        if event == .finished {
            recorder.writeBacks.record(procedures.record(gatt.findings), of: peer, in: recorder.peers)
            return
        }
        // An earlier instance of the service has what a message needs, but not the payload.
        if procedures.isDiscovered, procedures.readsPayload {
            procedures.forgetPayload()
            return readFailed(event, recorder: &recorder, context: &context, now: now)
        }
        let lacksHerald = event == .failed(.serviceNotFound) || event == .failed(.characteristicNotFound)
        let seeksSchemes = procedures.schemes.isWanted
        if procedures.readsPayload, !(lacksHerald && seeksSchemes) {
            if lacksHerald {
                recorder.markUnsupported(
                    peer, isOurs: isOurs, now: now, jitter: context.jitter.next())
            } else {
                readFailed(event, recorder: &recorder, context: &context, now: now)
            }
        } else if seeksSchemes, !lacksHerald {
            readFailed(event, recorder: &recorder, context: &context, now: now)
        }
        if procedures.isForWriting {
            recorder.writeBacks.fail(to: peer, in: recorder.peers, now: now, jitter: context.jitter.next())
        }
        context.messages.attemptFailed(
            with: recorder.peers.key(of: peer) ?? PeerKey(peer), isForGood: lacksHerald, now: now,
            jitter: context.jitter.next())
        if lacksHerald, seeksSchemes {
            procedures.markWithoutHerald()
        } else {
            procedures.giveUp()
        }
    }

    private mutating func payloadRead(
        _ event: AttributeClientEvent, recorder: inout Recorder, context: inout RadioContext, now: Instant
    ) {
        if event == .finished, let payload = FixedBuffer<512>(gatt.value), !payload.isEmpty {
            procedures.readsPayload = false
            context.counters.identitiesRead &+= 1
            context.identify(peer, payload, isWritten: false, recorder: &recorder, now: now)
        } else if gatt.startNextInstance(of: HeraldService.payload, after: event.failure) {
            procedures.begin(.discovery)
        } else {
            procedures.forgetPayload()
            readFailed(event, recorder: &recorder, context: &context, now: now)
        }
    }

    /// Records that the peer's identity could not be read over this link.
    @inline(never)
    private mutating func readFailed(
        _ event: AttributeClientEvent, recorder: inout Recorder, context: inout RadioContext, now: Instant
    ) {
        recorder.exchanges.fail(
            with: peer, in: recorder.peers, isOurs: isOurs, isLasting: event.isLastingRefusal, now: now,
            jitter: context.jitter.next())
    }

    /// Records as failed what was under way when the connection ended.
    @inline(never)
    func abandonProcedures(recorder: inout Recorder, context: inout RadioContext, now: Instant) {
        if procedures.readsPayload || procedures.schemes.isWanted {
            recorder.exchanges.fail(
                with: peer, in: recorder.peers, isOurs: isOurs, now: now, jitter: context.jitter.next())
        }
        if gatt.awaitsMTU { recorder.writeBacks.markMTUUnanswered(by: peer, in: recorder.peers) }
        switch procedures.current {
        case .message(let delivery):
            context.messages.attemptFailed(delivery, now: now, jitter: context.jitter.next())
        case .writeBack:
            recorder.writeBacks.fail(to: peer, in: recorder.peers, now: now, jitter: context.jitter.next())
        case .none, .discovery, .payloadRead, .schemeRead, .schemeWrite, .deviceSearch, .deviceRead:
            if procedures.isForWriting, !procedures.areDone {
                recorder.writeBacks.fail(
                    to: peer, in: recorder.peers, now: now, jitter: context.jitter.next())
            }
        }
    }
}

extension AttributeClientEvent {
    /// Why a value was not read. A value without content breaks the rules of its service.
    fileprivate var failure: AttributeClientFailure {
        if case .failed(let failure) = self { failure } else { .protocolViolation }
    }
}
