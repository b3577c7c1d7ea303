import EncounterLog
import FixedMemory
import GATT
import HCI
import Peers
import Protocols

/// What is done on links.
extension RadioController {
    /// What we tell peers by writing.
    var writeBackRules: WriteBackRules {
        WriteBackRules(
            ownDigest: identity.digest, isVisible: advertises,
            readingIntervalMilliseconds: settings.writeBackIntervalMilliseconds,
            sharesPayloads: settings.sharesPayloads, wakesIPhones: settings.wakesIPhones)
    }

    /// Starts whatever is to be done next on a link, if our client is free for it.
    @inline(never)
    mutating func startNextProcedure(_ index: Int, recorder: inout Recorder, nowMilliseconds now: UInt64) {
        guard links.slots[index]?.ending == .no, let job = links.slots[index]?.work.job else { return }
        switch job {
        case .none: startNext(index, recorder: &recorder, nowMilliseconds: now)
        case .payloadRead, .schemeRead, .deviceSearch, .deviceRead:
            guard links.slots[index]?.gatt.isInterruptible == true,
                let delivery = messageDue(on: index, recorder: recorder, nowMilliseconds: now),
                let client = links.slots[index]?.gatt.interrupt()
            else { return }
            links.slots[index]?.work.interrupted = client
            links.slots[index]?.work.interruptedJob = job
            startMessage(delivery, on: index, recorder: &recorder)
        // A message is what is looked for, or the peer would take it for the rest of what is being written.
        case .discovery, .message, .writeBack, .schemeWrite: break
        }
    }

    private mutating func startNext(_ index: Int, recorder: inout Recorder, nowMilliseconds now: UInt64) {
        guard let peer = links.slots[index]?.peer, let work = links.slots[index]?.work else { return }
        if let delivery = messageDue(on: index, recorder: recorder, nowMilliseconds: now) {
            return startMessage(delivery, on: index, recorder: &recorder)
        }
        guard links.slots[index]?.ending == .no else { return }
        if let client = work.interrupted {
            links.slots[index]?.work.interrupted = nil
            links.slots[index]?.gatt.resume(client)
            return begin(work.interruptedJob, on: index)
        }
        if work.readsPayload {
            guard work.isDiscovered else { return startDiscovery(index, recorder: &recorder) }
            links.slots[index]?.gatt.startReading(handle: work.payloadHandle)
            return begin(.payloadRead, on: index)
        }
        if work.seeksSchemes, seekNextScheme(index, recorder: &recorder, nowMilliseconds: now) { return }
        // Whom we tell who we are is told what we were when the link was made (X7), or nothing.
        if links.slots[index]?.mustEndMilliseconds == nil, nextIdentity == nil {
            // What there is nothing to write of is not due any more, and what comes after it is.
            while let due = recorder.writeBackDue(to: peer, writeBackRules, nowMilliseconds: now) {
                guard work.isDiscovered else { return startDiscovery(index, recorder: &recorder) }
                guard work.canWrite else { break }
                if startWriteBack(due, on: index, recorder: &recorder, nowMilliseconds: now) { return }
            }
        }
        if work.asksModel {
            links.slots[index]?.work.asksModel = false
            if recorder.takeModelQuestion(for: peer) {
                links.slots[index]?.gatt.start(HeraldService.deviceInformation)
                return begin(.deviceSearch, on: index)
            }
        }
        if let (detail, handle) = links.slots[index]?.work.takeDeviceRead() {
            links.slots[index]?.gatt.startReading(handle: handle)
            return begin(.deviceRead(detail), on: index)
        }
        links.slots[index]?.work.isOver = true
    }

    mutating func begin(_ job: LinkProcedures.Job, on index: Int) {
        links.slots[index]?.work.job = job
        links.slots[index]?.work.isOver = false
    }

    private mutating func startDiscovery(_ index: Int, recorder: inout Recorder) {
        var discovery = HeraldService.discovery
        discovery.exchangesMTU = takeMTUExchange(on: index, recorder: &recorder)
        links.slots[index]?.gatt.start(discovery)
        begin(.discovery, on: index)
    }

    /// Whether to ask for a larger MTU now, which is done once on a link, and not on the next one after that on which the
    /// peer owed us an answer.
    mutating func takeMTUExchange(on index: Int, recorder: inout Recorder) -> Bool {
        guard let peer = links.slots[index]?.peer, links.slots[index]?.work.takeMTUExchange() == true else {
            return false
        }
        return recorder.takeMTUQuestion(for: peer)
    }

    // MARK: Writing

    /// The message that is to go to the peer of this link now. One that it has nothing to take it with is given up; if its
    /// signal is spent, the link is ended so that the message can go over the next.
    private mutating func messageDue(
        on index: Int, recorder: borrowing Recorder, nowMilliseconds now: UInt64
    ) -> Int? {
        guard !messages.isEmpty, let peer = links.slots[index]?.peer else { return nil }
        let key = recorder.key(of: peer) ?? PeerKey(peer)
        guard let delivery = messages.nextWaiting(for: key) else { return nil }
        guard let work = links.slots[index]?.work, work.isDiscovered else { return delivery }
        if work.canWrite { return delivery }
        if work.isBroken { return nil }
        if work.signalHandle == 0 {
            messages.attemptFailed(with: key, isForGood: true, nowMilliseconds: now, jitter: 0)
        } else if work.job == .none || links.slots[index]?.gatt.isInterruptible == true {
            links.slots[index]?.ending = .wanted
        }
        return nil
    }

    /// Or looks first what it can be written to.
    private mutating func startMessage(_ delivery: Int, on index: Int, recorder: inout Recorder) {
        guard links.slots[index]?.work.isDiscovered == true else {
            return startDiscovery(index, recorder: &recorder)
        }
        messages.started(delivery)
        let data = messages.data(of: delivery)
        _ = links.slots[index]?.write(.immediateSend(data.span))
        begin(.message(delivery: delivery), on: index)
    }

    /// Returns false when there is nothing to write after all.
    private mutating func startWriteBack(
        _ what: WriteBack, on index: Int, recorder: inout Recorder, nowMilliseconds now: UInt64
    ) -> Bool {
        guard let peer = links.slots[index]?.peer else { return false }
        let rssiDBm = Int16(recorder.rssi(of: peer)?.dBm ?? RSSI.unknownDBm)
        switch what {
        case .payload:
            let payload = identity.payload
            guard links.slots[index]?.write(.payload(payload.span)) == true else {
                // Too long for an iPhone, now and ever: it has to read it.
                recorder.writeBackDone(what, to: peer, writeBackRules, nowMilliseconds: now)
                return false
            }
        case .reading: _ = links.slots[index]?.write(.rssi(dBm: rssiDBm))
        case .sharing:
            var payloads = FixedBuffer<507>()
            guard recorder.takePayloads(toShareWith: peer, into: &payloads, nowMilliseconds: now) else {
                return false
            }
            _ = links.slots[index]?.write(.payloadSharing(rssiDBm: rssiDBm, payloads.span))
        case .wake: links.slots[index]?.writeWake()
        }
        begin(.writeBack(what), on: index)
        return true
    }

    // MARK: Ends

    /// Our client's procedure on a link has ended.
    mutating func procedureEnded(
        _ index: Int, _ event: AttributeClientEvent, recorder: inout Recorder, nowMilliseconds now: UInt64
    ) {
        guard let peer = links.slots[index]?.peer, let job = links.slots[index]?.work.job else { return }
        if event == .finished, links.slots[index]?.writeNextPiece() == true { return }
        links.slots[index]?.work.job = .none
        switch job {
        case .none: break
        case .discovery:
            discovered(index, event, recorder: &recorder, nowMilliseconds: now)
        case .payloadRead:
            payloadRead(index, event, recorder: &recorder, nowMilliseconds: now)
        case .schemeRead(let scheme):
            schemeRead(scheme, index, event, recorder: &recorder, nowMilliseconds: now)
        case .schemeWrite: break
        case .message(let delivery):
            links.slots[index]?.work.noteWritten(.immediateSend, isWhole: event == .finished)
            if event == .finished {
                messages.delivered(delivery)
                recorder.noteAwake(peer, nowMilliseconds: now)
            } else {
                messages.attemptFailed(delivery, nowMilliseconds: now, jitter: nextRandom())
            }
        case .writeBack(let what):
            if let code = what.code {
                links.slots[index]?.work.noteWritten(code, isWhole: event == .finished)
            }
            if event == .finished {
                counters.writesBack &+= 1
                recorder.writeBackDone(what, to: peer, writeBackRules, nowMilliseconds: now)
            } else {
                recorder.writeBackFailed(to: peer, nowMilliseconds: now, jitter: nextRandom())
            }
        case .deviceSearch:
            if event == .finished, let findings = links.slots[index]?.gatt.findings {
                links.slots[index]?.work.noteDevice(findings)
            }
        case .deviceRead(let detail):
            if event == .finished, let text = links.slots[index].flatMap({ FixedBuffer<512>($0.gatt.value) })
            {
                recorder.noteDetail(detail, text.span, of: peer, nowMilliseconds: now)
            }
        }
        startNextProcedure(index, recorder: &recorder, nowMilliseconds: now)
    }

    private mutating func discovered(
        _ index: Int, _ event: AttributeClientEvent, recorder: inout Recorder, nowMilliseconds now: UInt64
    ) {
        guard let peer = links.slots[index]?.peer else { return }
        if event == .finished, let findings = links.slots[index]?.gatt.findings,
            let signal = links.slots[index]?.work.note(findings)
        {
            recorder.noteSignal(signal, of: peer)
            return
        }
        let isUnsupported =
            event == .failed(.serviceNotFound) || event == .failed(.characteristicNotFound)
        let seeksSchemes = links.slots[index]?.work.seeksSchemes == true
        if links.slots[index]?.work.readsPayload == true, !(isUnsupported && seeksSchemes) {
            if isUnsupported {
                recorder.exchangeFoundStranger(peer, nowMilliseconds: now, jitter: nextRandom())
            } else {
                recorder.exchangeFailed(with: peer, nowMilliseconds: now, jitter: nextRandom())
            }
        } else if seeksSchemes, !isUnsupported {
            recorder.exchangeFailed(with: peer, nowMilliseconds: now, jitter: nextRandom())
        }
        if links.slots[index]?.work.isErrand == true {
            recorder.writeBackFailed(to: peer, nowMilliseconds: now, jitter: nextRandom())
        }
        messages.attemptFailed(
            with: recorder.key(of: peer) ?? PeerKey(peer), isForGood: isUnsupported, nowMilliseconds: now,
            jitter: nextRandom())
        if isUnsupported, seeksSchemes {
            links.slots[index]?.work.noteWithoutHerald()
        } else {
            links.slots[index]?.work.giveUp()
        }
    }

    /// The peer's identity has been read, or cannot be.
    private mutating func payloadRead(
        _ index: Int, _ event: AttributeClientEvent, recorder: inout Recorder, nowMilliseconds now: UInt64
    ) {
        guard let peer = links.slots[index]?.peer else { return }
        links.slots[index]?.work.readsPayload = false
        if event == .finished, let identity = links.slots[index].flatMap({ FixedBuffer<512>($0.gatt.value) }),
            !identity.isEmpty
        {
            counters.identitiesRead &+= 1
            identify(peer, identity, recorder: &recorder, nowMilliseconds: now)
        } else {
            links.slots[index]?.work.asksModel = false
            recorder.exchangeFailed(with: peer, nowMilliseconds: now, jitter: nextRandom())
        }
    }

    /// Takes what a peer says it is.
    mutating func identify(
        _ peer: DeviceAddress, _ payload: FixedBuffer<512>, recorder: inout Recorder,
        nowMilliseconds now: UInt64
    ) {
        if payload == identity.payload { counters.duplicateIdentities &+= 1 }
        recorder.identify(peer, identity: payload, nowMilliseconds: now)
    }

    /// A link has gone, and with it whatever was being done on it.
    @inline(never)
    mutating func abandonWork(_ index: Int, recorder: inout Recorder, nowMilliseconds now: UInt64) {
        guard let peer = links.slots[index]?.peer, let work = links.slots[index]?.work else { return }
        if work.readsPayload || work.seeksSchemes {
            recorder.exchangeFailed(with: peer, nowMilliseconds: now, jitter: nextRandom())
        }
        if links.slots[index]?.gatt.awaitsMTU == true { recorder.noteMTUSilence(of: peer) }
        switch work.job {
        case .message(let delivery):
            messages.attemptFailed(delivery, nowMilliseconds: now, jitter: nextRandom())
        case .writeBack: recorder.writeBackFailed(to: peer, nowMilliseconds: now, jitter: nextRandom())
        case .none, .discovery, .payloadRead, .schemeRead, .schemeWrite, .deviceSearch, .deviceRead:
            if work.isErrand, !work.isOver {
                recorder.writeBackFailed(to: peer, nowMilliseconds: now, jitter: nextRandom())
            }
        }
    }
}

extension Link {
    /// Begins to write a message to the peer's signal characteristic.
    /// - Returns: false when it is too long for that.
    mutating func write(_ message: HeraldSignalMessage) -> Bool {
        do throws(CapacityError) { try work.writer.begin(message, to: work.signal) } catch { return false }
        writePiece()
        return true
    }

    /// Begins to write nothing, for an iPhone's app to be woken by.
    mutating func writeWake() {
        work.writer.beginWake()
        writePiece()
    }

    /// The peer has acknowledged what was written; whether there is more of it, which is now under way.
    mutating func writeNextPiece() -> Bool {
        switch work.job {
        case .message, .writeBack: work.writer.pieceWritten()
        case .none, .discovery, .payloadRead, .schemeRead, .schemeWrite, .deviceSearch, .deviceRead:
            return false
        }
        guard !work.writer.isDone else { return false }
        writePiece()
        return true
    }

    private mutating func writePiece() {
        try? gatt.startWriting(work.writer.piece, handle: work.signalHandle)
    }
}

extension WriteBack {
    /// nil: it has none.
    fileprivate var code: HeraldSignalCode? {
        switch self {
        case .payload: .payload
        case .reading: .rssi
        case .sharing: .payloadSharing
        case .wake: nil
        }
    }
}
