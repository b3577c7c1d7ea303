import FixedMemory
import HCI
import Peers

/// Judges once a second, from the received reports, whether the radio can be trusted. A quiet room is not a
/// fault. The sign of one is that peers were heard steadily, and suddenly none is.
/// docs/radio-supervisor.md states the rules and their limits.
package struct RadioHealth: BitwiseCopyable {
    private static let emptySeconds = 10
    private static let empty = Interval.seconds(10)
    private static let leastEmptyReports: UInt32 = 10
    private static let leastStrayReports: UInt64 = 3
    private static let recent = Interval.seconds(10)
    private static let manyPeers = 3
    private static let refusal = Interval.seconds(10)
    /// In ten seconds, of a stream that is cut into packets anew whenever it makes no sense.
    private static let skippedByteLimit: UInt64 = 500
    private static let malformedEventLimit: UInt64 = 50
    /// What is heard this long after a change was not sent before it.
    private static let settling = Interval.seconds(3)

    /// What is wrong, until it is seen to be right again.
    package private(set) var doubt: RadioFault?
    /// A doubt that was found to be groundless. It is not raised again before what caused it is gone.
    private var accepted: RadioFault?
    private var history = ReceptionBaseline()
    private var repetition = DuplicateFilterDetector()
    private var scanResponses = WindowedCounter()
    private var extendedReports = WindowedCounter()
    private var skippedBytes = WindowedCounter()
    private var malformedEvents = WindowedCounter()
    private var goodReports: UInt32 = 0
    /// When the scan was last set up anew, to mend something: what was heard before says nothing about it.
    private var renewed = Instant.start
    private var confirmed = Instant.start

    package init() {}

    /// What is known of the radio at this second.
    package struct Observation: BitwiseCopyable {
        var hearing: ScanStatistics
        var isScanning: Bool
        /// The controller plays the roles that it should.
        var hasRoles: Bool
        var refusal: RoleRefusal?
        /// How often the scan was started, but for its turns. A phone that connects every few seconds has
        /// it started each time.
        var scanStarts: UInt32
        /// How often peers were heard under another address than before: a filter knows addresses only.
        var moves: UInt32
        var skippedByteCount: UInt64
        var malformedEvents: UInt32

        package init(
            hearing: ScanStatistics, isScanning: Bool, hasRoles: Bool, refusal: RoleRefusal?,
            scanStarts: UInt32, moves: UInt32, skippedByteCount: UInt64, malformedEvents: UInt32
        ) {
            self.hearing = hearing
            self.isScanning = isScanning
            self.hasRoles = hasRoles
            self.refusal = refusal
            self.scanStarts = scanStarts
            self.moves = moves
            self.skippedByteCount = skippedByteCount
            self.malformedEvents = malformedEvents
        }
    }

    /// How many were there when the radio was last known to be well.
    package var expectation: ReceptionBaseline.Expectation { history.expectation }

    /// Whether a good report means that others would be told, too.
    package var isTrusted: Bool {
        guard let doubt else { return true }
        return doubt.sparesReadings
    }

    /// The last moment at which the scan is known to have worked. While somebody should be heard only a
    /// report tells, and of several near by one who is heard again; in a room that has long been quiet the
    /// controller's answer has to do.
    package mutating func confirmation(_ hearing: ScanStatistics, now: Instant) -> Instant {
        guard isTrusted, !repetition.isAwaited || accepted != nil else { return confirmed }
        var latest = hearing.lastGood ?? .start
        let hasStrays = hearing.emptyReports(now: now) > 0
        if doubt == nil, history.expectation == .nobody, !hasStrays || accepted != nil {
            latest = max(latest, hearing.lastAnswer)
        }
        confirmed = max(confirmed, latest)
        return confirmed
    }

    /// The scan is about to be trusted no more: whoever was heard twice by now tells that it was right to.
    package mutating func recheck(_ observed: Observation, peers: borrowing PeerTable) {
        repetition.recheck(observed, peers: peers)
    }

    /// Whether nobody is heard for longer than can be by chance. It is not doubted yet, and may end by
    /// itself; but what was sent meanwhile is lost.
    package func isGap(_ hearing: ScanStatistics, scanStart: Instant, now: Instant) -> Bool {
        guard history.isDense, let last = hearing.lastGood else { return false }
        return now > max(last, scanStart) + ReceptionBaseline.encounterTimeout
    }

    /// The scan is about to be set up anew, or doubted: what comes from now on tells how it is.
    package mutating func noteRenewal(_ observed: Observation, now: Instant) {
        renewed = now
        history.noteRenewal()
        // The start that belongs to the renewal empties a filter that has let nobody through yet.
        var renewed = observed
        renewed.scanStarts &+= 1
        repetition.restart(renewed, now: now)
        scanResponses.restart(at: UInt64(observed.hearing.scanResponses), now: now)
        extendedReports.restart(at: UInt64(observed.hearing.extendedReportEvents), now: now)
        skippedBytes.restart(at: observed.skippedByteCount, now: now)
        malformedEvents.restart(at: UInt64(observed.malformedEvents), now: now)
    }

    /// The controller failed. Whoever was there before must be heard again before it is trusted.
    package mutating func noteHardFault(_ fault: RadioFault) {
        if doubt == nil, history.expectation != .nobody { doubt = fault }
    }

    /// Dismisses the suspicion: every rung was tried, the controller obeys every command, and the room
    /// stays as it is.
    package mutating func dismiss() {
        accepted = doubt
        doubt = nil
        history.forget()
    }

    /// To be called once a second while the controller is up.
    /// - Returns: a new doubt.
    package mutating func advance(
        _ observed: Observation, peers: borrowing PeerTable, now: Instant
    ) -> RadioFault? {
        listen(observed, peers, now: now)
        let symptom = symptom(observed, peers, now: now)
        if let known = doubt {
            guard isOver(known, observed, symptom, now: now) else {
                return refineDiagnosis(known, observed, now: now)
            }
            doubt = nil
        }
        if let known = accepted {
            if isOver(known, observed, symptom, now: now) {
                accepted = nil
            } else if known.kind == symptom?.kind {
                return nil
            }
        }
        doubt = symptom
        return symptom
    }

    /// Nobody was heard any more, which may be how it is. But now reports come, and none is of use: that is
    /// a fault.
    private mutating func refineDiagnosis(
        _ known: RadioFault, _ observed: Observation, now: Instant
    ) -> RadioFault? {
        guard case .silence = known,
            observed.hearing.emptyReports(now: now) >= Self.leastEmptyReports,
            now >= renewed + Self.empty
        else { return nil }
        doubt = .emptyReports
        return doubt
    }

    private mutating func listen(_ observed: Observation, _ peers: borrowing PeerTable, now: Instant) {
        let hearing = observed.hearing
        let news = hearing.goodReports &- goodReports
        goodReports = hearing.goodReports
        if news > 0 || observed.isScanning && doubt == nil {
            let since = now.earlier(by: Self.recent)
            let peerCount =
                news > 0 ? peers.countHeard(since: since, limit: Self.manyPeers) : 0
            history.advance(goodReports: news, isMany: peerCount >= Self.manyPeers)
        }
        repetition.advance(observed, peers: peers, now: now)
        scanResponses.advance(to: UInt64(hearing.scanResponses), now: now)
        extendedReports.advance(to: UInt64(hearing.extendedReportEvents), now: now)
        skippedBytes.advance(to: observed.skippedByteCount, now: now)
        malformedEvents.advance(to: UInt64(observed.malformedEvents), now: now)
    }

    private func symptom(_ observed: Observation, _ peers: borrowing PeerTable, now: Instant) -> RadioFault? {
        if let refusal = observed.refusal, now >= refusal.since + Self.refusal {
            return .refusedRole(refusal.opCode, refusal.status)
        }
        if skippedBytes.growth > Self.skippedByteLimit || malformedEvents.growth > Self.malformedEventLimit {
            return .garbledStream
        }
        if extendedReports.growth >= Self.leastStrayReports { return .wrongScanMode(.extendedReports) }
        if scanResponses.growth >= Self.leastStrayReports { return .wrongScanMode(.scanResponses) }
        if repetition.isMissing { return .wrongScanMode(.duplicatesFiltered) }
        if history.silentSeconds >= Self.emptySeconds,
            observed.hearing.emptyReports(now: now) >= Self.leastEmptyReports
        {
            return .emptyReports
        }
        guard history.isSilent else { return nil }
        // Each was heard once when the scan was set up anew, and then nobody.
        let isFiltered =
            renewed > repetition.lastFound && repetition.isOnceOnly(peers)
        return isFiltered ? .wrongScanMode(.duplicatesFiltered) : .silence
    }

    /// Whether what was wrong is right again.
    private func isOver(
        _ fault: RadioFault, _ observed: Observation, _ symptom: RadioFault?, now: Instant
    ) -> Bool {
        let isGood = observed.hearing.firstGood != nil
        let isSettled = now >= renewed + Self.settling && symptom == nil
        switch fault {
        case .refusedRole: return isSettled && observed.hasRoles
        case .garbledStream: return isSettled
        case .wrongScanMode(.duplicatesFiltered):
            return isGood && repetition.lastFound > renewed
        case .wrongScanMode: return isGood && isSettled
        default: return isGood
        }
    }
}
