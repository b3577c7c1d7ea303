import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import Peers
import Protocols
import Radio

/// The requests of a client on the serial line.
extension Agent {
    /// - Parameter isBusy: This step has already done long work.
    mutating func serveSync(isBusy: Bool, now: Instant) {
        let hasInput = port.hasInput
        if hasInput || port.hasWork || port.hasAnswer {
            serveClient(hasInput: hasInput, isBusy: isBusy, now: now)
        }
    }

    // Out of line, because most steps have no client and need none of its buffers.
    @inline(never)
    private mutating func serveClient(hasInput: Bool, isBusy: Bool, now: Instant) {
        if hasInput { receiveSync(now: now) }
        if port.server.hasWork, !isBusy {
            refreshStatus(now: time.now)
            port.step(writer: &writer)
            answerRequest(now: now)
        }
        // Roots of day keys that are in an unencrypted log are replaced for the new owner.
        if port.answerKeys(writer: &writer) { identities.askForDayKeys() }
        port.advanceErasure(writer: &writer, now: now)
        port.sendAnswers()
    }

    private mutating func receiveSync(now: Instant) {
        guard port.readInput() else { return }
        // The client relies on the time at which its request arrives, which is later than the step's
        // beginning.
        refreshStatus(now: time.now)
        logCoverage(isWanted: writer.mayCommitForClient(now: now), now: now)
        port.serveInput(writer: &writer, now: now)
        answerRequest(now: now)
    }

    /// Answers a request that concerns the radio or the board, and not the log.
    private mutating func answerRequest(now: Instant) {
        switch port.server.nextRequest() {
        case nil: break
        case .send(let request):
            port.server.answer(radio.send(request, recorder: &recorder, now: now))
        case .nonce: port.server.answer(nonce: randomBlock(), now: now)
        case .storeKeys(let new):
            // The answer confirms that the log is sealed for the new key, so it waits until that is true.
            port.isKeyAnswerDue = storeKeys(new)
            if !port.isKeyAnswerDue { port.server.answer(keys: nil) }
        case .manifest(let nonce): answerManifest(nonce, now: now)
        case .acknowledge(let position):
            port.server.answer(
                segments: writer.acknowledge(
                    LogPosition(position), by: keys?.publicHalves.operatorKey?.fingerprint ?? Bytes(),
                    now: now))
        case .erase(let request): port.begin(request)
        case .configure:
            let reason = reason(for: configure(now: now))
            port.server.answer(configurationRefusal: reason.span)
        case .openSecrets:
            guard let keys else { break }
            port.server.openSecrets(scalar: keys.boardScalar)
        case .storeSecrets:
            let reason = reason(for: storeSecrets(now: now))
            port.server.answer(secretsRefusal: reason.span)
        case .expectUpdate(let byteCount, let digest): expectUpdate(byteCount: byteCount, digest: digest)
        case .storeUpdatePiece(let offset): storeUpdatePiece(at: offset)
        case .backUp(let scheme, let context):
            guard let keys else { break }
            port.backUp(scheme, context, of: &board, keys: keys, random: random)
        case .report(let number):
            port.server.answer(
                radio.controller.messageReport(number: number))
        }
    }

    private mutating func answerManifest(_ nonce: Bytes<16>, now: Instant) {
        guard let keys else { return }
        writer.commitForClient(now: now)
        port.server.answer(manifest: writer.statement(nonce: nonce, now: now), scalar: keys.boardScalar)
    }

    private mutating func randomBlock() -> Bytes<16> {
        var block = FixedBuffer<16>()
        try? block.append(littleEndian: random.next())
        try? block.append(littleEndian: random.next())
        return Bytes<16>(block.span) ?? Bytes<16>()
    }

    /// Stores new public halves on the medium and uses them from then on.
    /// - Returns: whether they were stored.
    private mutating func storeKeys(_ new: BoardPublicKeys) -> Bool {
        let isResealed = new.ownerKey != keys?.publicHalves.ownerKey
        guard var changed = keys, !isResealed || writer.log.canBeSealed else { return false }
        changed.publicHalves = new
        guard board.store(changed) else { return false }
        keys = changed
        port.view.publicKeys = new
        if isResealed, let seal = changed.logSeal(entropy: random.entropy) { reseal(seal) }
        return true
    }

    private mutating func reseal(_ seal: LogSeal) {
        // Blocks of any log that can be sealed are large enough.
        do throws(LogError) { try writer.log.reseal(seal) } catch { return }
        board.report(.logOwnerKeyChanged)
    }

    mutating func refreshStatus(now: Instant) {
        let counters = recorder.counters
        port.view.status.instant = now
        port.view.status.wallClock = wallClock(now: now)
        port.view.status.reportCount = counters.reports
        port.view.status.malformedReportCount = counters.malformed
        port.view.status.droppedEntryCount = counters.dropped
        port.view.status.evictedPeerCount = counters.evicted
        port.view.status.turnedAwayCount = counters.turnedAway
        port.view.status.refusedIdentityCount = counters.refusedIdentities
        port.view.status.duplicateIdentityCount = radio.controller.counters.duplicateIdentities
        port.view.status.encounterCount = counters.encounters
        port.view.status.openEncounterCount = recorder.openEncounterCount
        port.view.status.peerCount = UInt32(truncatingIfNeeded: recorder.peers.count)
        port.view.status.radioResetCount = radio.restartCount
        port.view.status.record(radio.status)
        port.view.status.identityState = identities.herald?.standing.map {
            BoardStatus.IdentityState(rawValue: $0.rawValue)
        }
        port.view.status.uncommittedEntryCount = UInt32(truncatingIfNeeded: writer.log.openEntryCount)
        port.view.status.isSealed = writer.log.isSealed
        port.view.status.segmentCount = UInt32(truncatingIfNeeded: writer.log.retainedSegmentCount)
        let logCounters = writer.log.counters
        port.view.status.erasedSegmentCount = logCounters.overwrittenSegments
        port.view.status.lostSegmentCount = logCounters.lostSegments
        port.view.status.flashFailureCount = logCounters.flashFailures
        port.view.status.takesPages = writer.failure == nil
        port.view.status.isSyncing = port.hasClient(now: now)
        port.view.status.battery = service.battery.reading.map {
            BoardStatus.Battery(percent: $0.percent, state: $0.state.rawValue, isLow: $0.isLow)
        }
        port.view.status.update = board.updateSlot.map {
            BoardStatus.Update(slot: $0, isOnTrial: board.isOnTrial)
        }
        port.view.status.syncedThrough = SyncPosition(writer.log.syncedThrough)
    }
}
