import FixedMemory
import GATT
import HCI
import Peers
import Protocols

/// Which procedure runs on a link, and which comes next.
extension Link {
    /// Begins the procedures of a link that has just opened. An incoming link serves for them as well as
    /// one of our own.
    mutating func beginProcedures(
        isForWriting: Bool, recorder: inout Recorder, context: inout RadioContext, now: Instant
    ) {
        let seeks = recorder.exchanges.isSchemeSearchDue(on: peer, in: recorder.peers, now: now)
        let reads =
            isOurs
            ? recorder.exchanges.wantsRead(of: peer, isOurs: true, in: recorder.peers, now: now)
            : readsIncomingPeer(seeks, &recorder, now: now)
        procedures = LinkProcedures(
            readsPayload: reads, seeksSchemes: seeks, asksModel: context.settings.asksModel,
            isForWriting: isForWriting)
        startNextProcedure(recorder: &recorder, context: &context, now: now)
    }

    /// Asks the peer of an incoming link again. A peer that connected before the board heard it, or could
    /// not answer then, may never disconnect, and the board opens no second link to it.
    mutating func askIncomingPeerAgain(recorder: inout Recorder, context: inout RadioContext, now: Instant) {
        guard recorder.exchanges.isReadDue(from: peer, in: recorder.peers, now: now) else {
            return
        }
        let seeks = recorder.exchanges.isSchemeSearchDue(on: peer, in: recorder.peers, now: now)
        let reads = readsIncomingPeer(seeks, &recorder, now: now)
        guard reads || seeks else { return }
        procedures.askAgain(readsPayload: reads, seeksSchemes: seeks)
        startNextProcedure(recorder: &recorder, context: &context, now: now)
    }

    /// Whether to read the payload of a peer that has connected to the board; the exchange then counts as
    /// begun. A peer that has lately identified itself in another scheme is not asked for Herald on each
    /// link.
    private func readsIncomingPeer(_ seeks: Bool, _ recorder: inout Recorder, now: Instant) -> Bool {
        guard recorder.exchanges.wantsRead(of: peer, isOurs: false, in: recorder.peers, now: now),
            seeks || !recorder.exchanges.schemes.readsSchemes
        else { return false }
        recorder.exchanges.start(with: peer, in: &recorder.peers)
        return true
    }

    /// Starts the next procedure if the link's client is free for it.
    @inline(never)
    mutating func startNextProcedure(recorder: inout Recorder, context: inout RadioContext, now: Instant) {
        guard phase == .open else { return }
        switch procedures.current {
        case .none: startProcedure(recorder: &recorder, context: &context, now: now)
        case .payloadRead, .schemeRead, .deviceSearch, .deviceRead:
            guard gatt.isInterruptible,
                let delivery = messageDue(recorder: recorder, context: &context, now: now),
                let client = gatt.interrupt()
            else { return }
            procedures.interrupt(client)
            startMessage(delivery, recorder: &recorder, context: &context)
        // A message needs the discovery's result; and after half a write the peer would take it for the
        // rest.
        case .discovery, .message, .writeBack, .schemeWrite: break
        }
    }

    private mutating func startProcedure(
        recorder: inout Recorder, context: inout RadioContext, now: Instant
    ) {
        if let delivery = messageDue(recorder: recorder, context: &context, now: now) {
            return startMessage(delivery, recorder: &recorder, context: &context)
        }
        guard phase == .open else { return }
        if let (client, procedure) = procedures.takeInterrupted() {
            gatt.resume(client)
            return procedures.begin(procedure)
        }
        if procedures.readsPayload {
            guard procedures.payloadHandle != 0 else { return startDiscovery(recorder: &recorder) }
            gatt.startReading(handle: procedures.payloadHandle)
            return procedures.begin(.payloadRead)
        }
        if procedures.schemes.isWanted,
            seekNextScheme(recorder: &recorder, context: &context, now: now)
        {
            return
        }
        // A peer learns the identity that the link was opened under (X7), or none.
        if mustEnd == nil, context.own.next == nil {
            let rules = context.writeBackRules
            // An empty write-back completes immediately; the next one may be due.
            while let due = recorder.writeBacks.due(
                to: peer, in: recorder.peers, recorder.exchanges, rules, now: now)
            {
                guard procedures.isDiscovered else { return startDiscovery(recorder: &recorder) }
                guard procedures.signal.canWrite else { break }
                if startWriteBack(due, rules, recorder: &recorder, context: &context, now: now) {
                    return
                }
            }
        }
        if procedures.device.isWanted {
            procedures.device.isWanted = false
            if recorder.writeBacks.takeModelRequest(for: peer, in: recorder.peers) {
                gatt.start(HeraldService.deviceInformation)
                return procedures.begin(.deviceSearch)
            }
        }
        if let (detail, handle) = procedures.device.next() {
            gatt.startReading(handle: handle)
            return procedures.begin(.deviceRead(detail))
        }
        procedures.areDone = true
    }

    mutating func startDiscovery(recorder: inout Recorder) {
        var discovery = HeraldService.discovery
        discovery.exchangesMTU = exchangesMTU(recorder: &recorder)
        gatt.start(discovery)
        procedures.begin(.discovery)
    }

    /// Whether to ask for a larger MTU now. The board does so once on a link, and leaves it out on the link
    /// after one on which the peer did not answer.
    mutating func exchangesMTU(recorder: inout Recorder) -> Bool {
        guard procedures.takeMTUExchange() else { return false }
        return recorder.writeBacks.takeMTURequest(for: peer, in: recorder.peers)
    }
}
