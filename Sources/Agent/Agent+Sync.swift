import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import Peers
import Protocols
import Radio

/// The requests of a client on the serial line.
extension Agent {
    /// A client that says nothing for so long has ended its session.
    private static var sessionPause: Interval { .seconds(5) }

    /// `isBusy`: this step has done long work already.
    mutating func serveSync(isBusy: Bool, now: Instant) {
        guard serial.isOpen else { return }
        let hasInput = serial.hasInput
        if hasInput || sync.hasWork || sync.hasOutput || isKeyAnswerDue || erasure != nil {
            serveClient(hasInput: hasInput, isBusy: isBusy, now: now)
        }
    }

    // Out of line, because most steps have no client and need none of its buffers.
    @inline(never)
    private mutating func serveClient(hasInput: Bool, isBusy: Bool, now: Instant) {
        if hasInput { receiveSync(now: now) }
        if sync.hasWork, !isBusy {
            refreshStatus(now: time.now)
            sync.step(store: &store)
            answerRequest(now: now)
        }
        if isKeyAnswerDue, !store.keeper.log.hasWork {
            isKeyAnswerDue = false
            sync.answer(keys: store.publicKeys)
            // Of a root that went into a log in clear.
            identities.askForDayKeys()
        }
        advanceErasure(now: now)
        while !sync.output.isEmpty {
            let count = serial.write(sync.output)
            if count == 0 { break }
            sync.drain(count)
        }
    }

    private mutating func receiveSync(now: Instant) {
        var input = FixedBuffer<512>()
        serial.read(into: &input)
        guard !input.isEmpty else { return }
        // The client relies on the time at which its request arrives, which is later than the step's
        // beginning.
        refreshStatus(now: time.now)
        logCoverage(isWanted: true, now: now)
        // A session begins: who fetches the log without asking for the index is to find all of it, too.
        if now >= lastInput + Self.sessionPause { store.keeper.commitOpenPage() }
        lastInput = now
        sync.receive(input.span, store: &store)
        answerRequest(now: now)
    }

    /// Answers a request that concerns the radio or the board, and not the log.
    private mutating func answerRequest(now: Instant) {
        switch sync.nextRequest() {
        case nil: break
        case .send(let request):
            sync.answer(radio.send(request, recorder: &recorder, now: now))
        case .nonce: sync.answer(nonce: randomBlock())
        case .storeKeys(let new):
            // The answer says that the log is sealed for the new key, and so waits until it is.
            isKeyAnswerDue = storeKeys(new)
            if !isKeyAnswerDue { sync.answer(keys: nil) }
        case .manifest(let nonce): answerManifest(nonce, now: now)
        case .acknowledge(let position):
            sync.answer(
                segments: store.keeper.acknowledge(
                    LogPosition(position), by: keys?.publicHalves.operatorKey?.fingerprint ?? Bytes(),
                    now: now))
        case .erase(let request): erasure = Erasure(request)
        case .configure:
            let reason = reason(for: configure(now: now))
            sync.answer(configurationRefusal: reason.span)
        case .storeSecrets:
            let reason = reason(for: storeSecrets(now: now))
            sync.answer(secretsRefusal: reason.span)
        case .report(let number):
            sync.answer(
                radio.controller.messageReport(number: number))
        }
    }

    private mutating func answerManifest(_ nonce: Bytes<16>, now: Instant) {
        guard let keys else { return }
        store.keeper.commitOpenPage()
        sync.answer(manifest: store.keeper.statement(nonce: nonce, now: now), scalar: keys.boardScalar)
    }

    private mutating func advanceErasure(now: Instant) {
        guard var current = erasure else { return }
        erasure = nil
        if let result = current.advance(&store.keeper, now: now) {
            sync.answer(segments: result)
        } else {
            erasure = current
        }
    }

    private mutating func randomBlock() -> Bytes<16> {
        var block = FixedBuffer<16>()
        try? block.append(littleEndian: random.next())
        try? block.append(littleEndian: random.next())
        return Bytes<16>(block.span) ?? Bytes<16>()
    }

    /// Puts new public halves in force, once they are on the medium.
    /// - Returns: whether they are.
    private mutating func storeKeys(_ new: BoardPublicKeys) -> Bool {
        let isResealed = new.ownerKey != keys?.publicHalves.ownerKey
        guard var changed = keys, !isResealed || store.keeper.log.canBeSealed else { return false }
        changed.publicHalves = new
        guard board.store(changed) else { return false }
        keys = changed
        store.publicKeys = new
        if isResealed, let seal = changed.logSeal(entropy: random.entropy) { reseal(seal) }
        return true
    }

    private mutating func reseal(_ seal: LogSeal) {
        // Its blocks are large enough.
        do throws(LogError) { try store.keeper.log.reseal(seal) } catch { return }
        board.report(.logOwnerKeyChanged)
    }

    private mutating func refreshStatus(now: Instant) {
        let counters = recorder.counters
        store.status.instant = now
        store.status.wallClock = wallClock(now: now)
        store.status.reportCount = counters.reports
        store.status.malformedReportCount = counters.malformed
        store.status.droppedEntryCount = counters.dropped
        store.status.evictedPeerCount = counters.evicted
        store.status.turnedAwayCount = counters.turnedAway
        store.status.refusedIdentityCount = counters.refusedIdentities
        store.status.duplicateIdentityCount = radio.controller.counters.duplicateIdentities
        store.status.encounterCount = counters.encounters
        store.status.openEncounterCount = recorder.openEncounterCount
        store.status.peerCount = UInt32(truncatingIfNeeded: recorder.peers.count)
        store.status.radioResetCount = radio.restartCount
        store.status.note(radio.status)
        store.status.identityState = identities.herald?.standing.map {
            BoardStatus.IdentityState(rawValue: $0.rawValue)
        }
        store.status.uncommittedEntryCount = UInt32(truncatingIfNeeded: store.keeper.log.openEntryCount)
        store.status.isSealed = store.keeper.log.isSealed
        store.status.segmentCount = UInt32(truncatingIfNeeded: store.keeper.log.retainedSegmentCount)
        let logCounters = store.keeper.log.counters
        store.status.erasedSegmentCount = logCounters.overwrittenSegments
        store.status.lostSegmentCount = logCounters.lostSegments
        store.status.syncedThrough = SyncPosition(store.keeper.log.syncedThrough)
    }
}
