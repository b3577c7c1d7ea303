import FixedMemory
import HCI
import Peers

/// Whom to connect to next.
extension RadioController {
    /// What a connection is attempted for.
    enum AttemptPurpose: BitwiseCopyable, Equatable {
        case identity
        case message(PeerKey)
        case writeBack
    }

    /// Whom to connect to is not asked at each wake: it means going through many peers.
    private static var choiceIntervalMilliseconds: UInt64 { 100 }
    private static var errandIntervalMilliseconds: UInt64 { 200 }

    mutating func chooseConnection(recorder: inout Recorder, nowMilliseconds now: UInt64) {
        probes.end(nowMilliseconds: now)
        errands.end(nowMilliseconds: now)
        guard settings.scans, nextIdentity == nil, now >= nextAttemptMilliseconds,
            now >= nextChoiceMilliseconds
        else { return }
        nextChoiceMilliseconds = now + Self.choiceIntervalMilliseconds
        if let (peer, key) = messageTarget(recorder: recorder, nowMilliseconds: now) {
            guard makePlaceForLink() else { return }
            return attempt(peer, for: .message(key), recorder: &recorder, nowMilliseconds: now)
        }
        guard links.count < settings.linkLimit else { return }
        // Reading and writing back take turns, so that neither waits for ever for the other.
        if isErrandsTurn, attemptErrand(recorder: &recorder, nowMilliseconds: now) { return }
        let peer = policy.nextPeer(
            in: recorder, turn: turn, nowMilliseconds: now,
            allowsCandidates: probes.allowsProbe(nowMilliseconds: now),
            excluding: { links.isConnected(to: $0) })
        if let peer {
            turn = turn.next
            isErrandsTurn = true
            if recorder.isCandidate(peer) { probes.begin(nowMilliseconds: now) }
            attempt(peer, for: .identity, recorder: &recorder, nowMilliseconds: now)
        } else if !isErrandsTurn {
            _ = attemptErrand(recorder: &recorder, nowMilliseconds: now)
        }
    }

    private mutating func attemptErrand(recorder: inout Recorder, nowMilliseconds now: UInt64) -> Bool {
        guard now >= nextErrandChoiceMilliseconds, errands.allowsProbe(nowMilliseconds: now) else {
            return false
        }
        nextErrandChoiceMilliseconds = now + Self.errandIntervalMilliseconds
        let peer = policy.nextErrand(
            in: &recorder, writeBackRules, nowMilliseconds: now, excluding: { links.isConnected(to: $0) })
        guard let peer else { return false }
        isErrandsTurn = false
        errands.begin(nowMilliseconds: now)
        attempt(peer, for: .writeBack, recorder: &recorder, nowMilliseconds: now)
        return true
    }

    private mutating func attempt(
        _ peer: DeviceAddress, for purpose: AttemptPurpose, recorder: inout Recorder,
        nowMilliseconds now: UInt64
    ) {
        recorder.exchangeStarted(with: peer)
        attemptPurpose = purpose
        attemptStartMilliseconds = now
        let timeout = policy.connectTimeoutMilliseconds(
            isCandidate: recorder.isCandidate(peer), hasFailed: recorder.hasFailed(peer))
        connecting = .wanted(peer, deadline: now + timeout)
    }

    /// An attempt came to nothing. Nobody is tried for as long as it took: scanning stopped for it. And for up to half as
    /// long again: two boards that attempt each other at once hear nobody, and would go on in step for ever.
    mutating func attemptFailed(
        with peer: DeviceAddress, recorder: inout Recorder, nowMilliseconds now: UInt64
    ) {
        connecting = .no
        let took = now - attemptStartMilliseconds
        nextAttemptMilliseconds = now + took + nextRandom() % (took / 2 + 1)
        recorder.exchangeFailed(with: peer, nowMilliseconds: now, jitter: nextRandom())
        switch attemptPurpose {
        case .identity: break
        case .message(let key): messages.attemptFailed(with: key, isForGood: false, nowMilliseconds: now)
        case .writeBack: recorder.writeBackFailed(to: peer, nowMilliseconds: now, jitter: nextRandom())
        }
    }

    /// For a message a link that does nothing as urgent is ended, if there are as many as may be. Returns whether there
    /// is a place now.
    private mutating func makePlaceForLink() -> Bool {
        guard links.count >= settings.linkLimit else { return true }
        for index in links.indices where links.slots[index] != nil && links.slots[index]?.ending != .no {
            return false
        }
        if let oldest = links.oldest(where: { !$0.isSending }) { links.slots[oldest]?.ending = .wanted }
        return false
    }
}
