import FixedMemory
import HCI
import Peers

/// Whom to connect to next.
extension RadioController {
    /// What a connection is attempted for.
    package enum AttemptPurpose: BitwiseCopyable, Equatable {
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
            guard freePlace(where: { !$0.isSending }) else { return }
            return attempt(peer, for: .message(key), recorder: &recorder, nowMilliseconds: now)
        }
        guard let (peer, purpose) = nextAttempt(recorder: &recorder, nowMilliseconds: now) else {
            waitingSinceMilliseconds = nil
            isPlaceKept = false
            return
        }
        guard hasPlace(nowMilliseconds: now) else { return }
        if purpose == .writeBack {
            isErrandsTurn = false
            errands.begin(nowMilliseconds: now)
        } else {
            turn = turn.next
            isErrandsTurn = true
            if recorder.isCandidate(peer) { probes.begin(nowMilliseconds: now) }
        }
        attempt(peer, for: purpose, recorder: &recorder, nowMilliseconds: now)
    }

    /// Reading and writing back take turns, so that neither waits for ever for the other.
    private mutating func nextAttempt(
        recorder: inout Recorder, nowMilliseconds now: UInt64
    ) -> (DeviceAddress, AttemptPurpose)? {
        if isErrandsTurn, let peer = nextErrand(recorder: &recorder, nowMilliseconds: now) {
            return (peer, .writeBack)
        }
        let peer = policy.nextPeer(
            in: recorder, turn: turn, nowMilliseconds: now,
            allowsCandidates: probes.allowsProbe(nowMilliseconds: now),
            excluding: { links.isConnected(to: $0) })
        if let peer { return (peer, .identity) }
        guard !isErrandsTurn else { return nil }
        return nextErrand(recorder: &recorder, nowMilliseconds: now).map { ($0, .writeBack) }
    }

    private mutating func nextErrand(recorder: inout Recorder, nowMilliseconds now: UInt64) -> DeviceAddress?
    {
        // Who waits for a place is asked after each time.
        guard now >= nextErrandChoiceMilliseconds || waitingSinceMilliseconds != nil,
            errands.allowsProbe(nowMilliseconds: now)
        else { return nil }
        nextErrandChoiceMilliseconds = now + Self.errandIntervalMilliseconds
        return policy.nextErrand(
            in: &recorder, writeBackRules, nowMilliseconds: now, excluding: { links.isConnected(to: $0) })
    }

    private mutating func attempt(
        _ peer: DeviceAddress, for purpose: AttemptPurpose, recorder: inout Recorder,
        nowMilliseconds now: UInt64
    ) {
        recorder.exchangeStarted(with: peer)
        waitingSinceMilliseconds = nil
        isPlaceKept = false
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
        case .message(let key):
            messages.attemptFailed(
                with: key, isForGood: false, nowMilliseconds: now, jitter: nextRandom())
        case .writeBack: recorder.writeBackFailed(to: peer, nowMilliseconds: now, jitter: nextRandom())
        }
    }
}
