import FixedMemory
import HCI
import Peers

/// Judges once a second, from the received reports, whether the radio can be trusted. A quiet room is not a
/// fault. The sign of a fault is a sudden silence of peers that were heard steadily. docs/radio-supervisor.md
/// states the rules and their limits.
package struct RadioHealth: BitwiseCopyable {
    private static let emptySeconds = 10
    private static let leastEmptyReports: UInt32 = 10
    /// A scan that the controller has lost is set up again; if it is lost again at once, that is a fault.
    private static let lostProofs: UInt8 = 2
    private static let leastStrayReports: UInt64 = 3
    private static let recentTime = Interval.seconds(10)
    private static let manyPeers = 3
    private static let refusalWindow = Interval.seconds(10)
    /// The number of bytes in ten seconds that the framer may skip to find the next packet.
    private static let skippedByteLimit: UInt64 = 500
    private static let malformedEventLimit: UInt64 = 50
    private static let shortSilenceSeconds = 2
    /// Such a silence with the longest pause of the scan.
    private static let shortSilence = Interval.seconds(4)
    /// The time after a renewal in which the controller may still deliver earlier reports.
    private static let settling = Interval.seconds(3)

    /// The suspected fault, until reports show that it is over.
    package private(set) var suspectedFault: RadioFault?
    /// A dismissed suspicion. The same symptom raises a new one only after this fault is over.
    private var dismissed: RadioFault?
    private var history = ReceptionBaseline()
    private var departure = DepartureWatch()
    private(set) var duplicateFilter = DuplicateFilterDetector()
    private var scanResponses = WindowedCounter()
    private var extendedReports = WindowedCounter()
    private var skippedBytes = WindowedCounter()
    private var malformedEvents = WindowedCounter()
    /// The few expected peers may be those that have links.
    private var areFewLinked = false
    /// What reports without content show. They may come from a controller out of order.
    private var strays = EmptyReports.Evidence.none
    private var doubt = ContentDoubt()
    private var goodReports: UInt32 = 0
    /// When the scan was last renewed. Earlier reports are not evidence about the renewed scan.
    private var renewed = Instant.start
    private var confirmed = Instant.start

    package init() {}

    /// How many peers were near when the radio last worked.
    package var expectation: ReceptionBaseline.Expectation { history.expectation }

    /// Whether the room may well be silent, so that only the controller's proof confirms the scan.
    package var needsProof: Bool { history.expectation == .nobody || areFewLinked }

    /// Whether the agent has assumed an empty room because of reports without content. After another
    /// suspicion they may still show a fault.
    private var hasDismissedStrays: Bool { if case .emptyReports? = dismissed { true } else { false } }

    /// Whether a good report shows that the scan would report other peers, too.
    package var isTrusted: Bool {
        guard let suspectedFault else { return true }
        return suspectedFault.sparesReadings
    }

    /// The last moment at which the scan is known to have worked. While peers are expected, only a report
    /// confirms it; with several near peers, only a repeated report of one. In a room that has long been
    /// quiet, the controller's proof confirms it, too.
    package mutating func confirmation(
        _ statistics: ScanStatistics, proven: Instant, now: Instant
    ) -> Instant {
        guard isTrusted, !doubt.isPresent, !duplicateFilter.isAwaited || dismissed != nil else {
            return confirmed
        }
        var latest = statistics.lastGood ?? .start
        if suspectedFault == nil, needsProof, strays == .none || hasDismissedStrays {
            latest = max(latest, proven)
        }
        confirmed = max(confirmed, latest)
        return confirmed
    }

    /// Since when the radio is well, if no fault is suspected: since the first good report or proof after the
    /// scan was renewed. Without any it is from now on, because what was confirmed earlier lies before the
    /// fault.
    package mutating func wellSince(_ statistics: ScanStatistics, proven: Instant, now: Instant) -> Instant {
        if let firstGood = statistics.firstGood { return firstGood }
        let latest = confirmation(statistics, proven: proven, now: now)
        return latest > renewed ? latest : now
    }

    /// Counts the latest reports before the scan becomes suspected: a repeated one among them confirms it up
    /// to now.
    package mutating func recheck(_ observed: Observation, peers: borrowing PeerTable) {
        duplicateFilter.recheck(observed, peers: peers)
    }

    /// Whether no peer was heard for longer than chance explains. That is not yet a suspected fault, and may
    /// pass. But adverts sent in the meantime are lost. Reports that may
    /// be damaged ones do not count.
    package func isGap(_ statistics: ScanStatistics, scanStart: Instant, now: Instant) -> Bool {
        if doubt.isPresent { return true }
        guard let last = statistics.lastGood else { return false }
        // A silence during a suspected fault is not taken for a departure, and no proof counts then. So it
        // ends the coverage here.
        if suspectedFault != nil, now > last + ReceptionBaseline.longestSilence { return true }
        guard history.isDense else { return false }
        // A scan that is started again and again, as with time-multiplexed roles, never lasts that long.
        return now > max(last, scanStart) + ReceptionBaseline.encounterTimeout
            || history.silentSeconds >= ReceptionBaseline.gapSeconds
    }

    /// Records that the scan is renewed or suspected. Only later reports count as evidence.
    package mutating func recordRenewal(_ observed: Observation, now: Instant) {
        renewed = now
        history.recordRenewal()
        restartFilterSearch(observed, now: now)
        scanResponses.restart(at: UInt64(observed.statistics.scanResponses), now: now)
        extendedReports.restart(at: UInt64(observed.statistics.extendedReportEvents), now: now)
        skippedBytes.restart(at: observed.skippedByteCount, now: now)
        malformedEvents.restart(at: UInt64(observed.malformedEvents), now: now)
    }

    /// Records a failure of the controller. If peers were expected, one must be heard before the radio is
    /// trusted.
    package mutating func recordHardFault(_ fault: RadioFault) {
        if suspectedFault == nil, history.expectation != .nobody { suspectedFault = fault }
    }

    /// Dismisses the suspicion: every rung was tried, the controller obeys every command, and the room
    /// stays as it is.
    package mutating func dismiss() {
        dismissed = suspectedFault
        suspectedFault = nil
        history.forget()
    }

    /// Records that the scan is about to get another timing. From a sparser one no peers are expected until
    /// they are heard steadily again, unless they are silent already: for some seconds of scanning, or for
    /// longer while the scan pauses again and again.
    mutating func recordTimingChange(_ observed: Observation, isSparser: Bool, now: Instant) {
        let lastGood = observed.statistics.lastGood ?? .start
        if isSparser, history.silentSeconds <= Self.shortSilenceSeconds, now <= lastGood + Self.shortSilence {
            history.forget()
        }
        restartFilterSearch(observed, now: now)
    }

    /// Begins the search for a duplicate filter anew, just before a start of the scan.
    private mutating func restartFilterSearch(_ observed: Observation, now: Instant) {
        // This start brings no repeated reports, because the filter is still empty.
        var renewed = observed
        renewed.scanStarts = observed.scanStarts.map { $0 &+ 1 }
        duplicateFilter.restart(renewed, now: now)
    }

    /// The step that a sudden silence of expected peers makes due; nil if none is. From the reset on no peer
    /// is expected.
    package mutating func nextDepartureStep(now: Instant) -> DepartureWatch.Step? {
        let step = departure.advance(isSilent: suspectedFault == nil && history.isSilent, now: now)
        if step == .reset { history.forget() }
        return step
    }

    /// Whether a renewal of the scan is wanted, because it would show whether a duplicate filter is at work.
    package var wantsRenewal: Bool { suspectedFault == nil && duplicateFilter.wantsRenewal }

    /// Updates the judgement. Call it once a second while the controller is up.
    /// - Returns: a newly suspected fault.
    package mutating func advance(
        _ observed: Observation, peers: borrowing PeerTable, now: Instant
    ) -> RadioFault? {
        listen(observed, peers, now: now)
        let symptom = symptom(observed, peers, now: now)
        if let known = suspectedFault {
            guard isOver(known, observed, symptom, now: now) else { return nil }
            suspectedFault = nil
        }
        if let known = dismissed {
            if isOver(known, observed, symptom, now: now) {
                dismissed = nil
            } else if known.kind == symptom?.kind {
                return nil
            }
        }
        suspectedFault = symptom
        return symptom
    }

    /// Updates who is near. Call it once a second while the controller is down: peers that are heard steadily
    /// before its reset are expected after it.
    package mutating func hearWhileDown(
        _ observed: Observation, peers: borrowing PeerTable, now: Instant
    ) {
        hear(observed, peers, countsSilence: true, now: now)
    }

    private mutating func hear(
        _ observed: Observation, _ peers: borrowing PeerTable, countsSilence: Bool, now: Instant
    ) {
        let news = observed.statistics.goodReports &- goodReports
        goodReports = observed.statistics.goodReports
        if news > 0 || countsSilence && suspectedFault == nil {
            let since = now.earlier(by: Self.recentTime)
            let peerCount =
                news > 0 ? peers.countHeard(since: since, limit: Self.manyPeers) : 0
            history.advance(goodReports: news, isMany: peerCount >= Self.manyPeers)
        }
    }

    private mutating func listen(_ observed: Observation, _ peers: borrowing PeerTable, now: Instant) {
        let statistics = observed.statistics
        hear(observed, peers, countsSilence: observed.isScanning, now: now)
        let isProvable = observed.proof.isPossible && observed.scanStarts != nil
        strays = statistics.emptyReports.evidence(peers, before: strays, now: now)
        // A peer whose reports have no content sends adverts, so a link does not explain the silence.
        areFewLinked =
            history.expectation == .few && observed.hasLinks && isProvable && strays != .ofKnownPeer
        if areFewLinked { history.recordRenewal() }
        doubt.advance(observed, now: now)
        duplicateFilter.advance(observed, peers: peers, now: now)
        scanResponses.advance(to: UInt64(statistics.scanResponses), now: now)
        extendedReports.advance(to: UInt64(statistics.extendedReportEvents), now: now)
        skippedBytes.advance(to: observed.skippedByteCount, now: now)
        malformedEvents.advance(to: UInt64(observed.malformedEvents), now: now)
    }

    private func symptom(_ observed: Observation, _ peers: borrowing PeerTable, now: Instant) -> RadioFault? {
        if let refusal = observed.refusal, now >= refusal.since + Self.refusalWindow {
            return .refusedRole(refusal.opCode, refusal.status)
        }
        if skippedBytes.growth > Self.skippedByteLimit || malformedEvents.growth > Self.malformedEventLimit {
            return .garbledStream
        }
        // Before the wrong scan modes, because a dismissed one would hide it.
        if history.silentSeconds >= Self.emptySeconds,
            strays != .none, observed.statistics.emptyReports.count >= Self.leastEmptyReports
        {
            return .emptyReports
        }
        if extendedReports.growth >= Self.leastStrayReports { return .wrongScanMode(.extendedReports) }
        if scanResponses.growth >= Self.leastStrayReports { return .wrongScanMode(.scanResponses) }
        if duplicateFilter.isMissing { return .wrongScanMode(.duplicatesFiltered) }
        return observed.proof.failureCount >= Self.lostProofs ? .scanStopped : nil
    }

    /// Whether the fault is over.
    private func isOver(
        _ fault: RadioFault, _ observed: Observation, _ symptom: RadioFault?, now: Instant
    ) -> Bool {
        let isGood = observed.statistics.firstGood != nil && !doubt.isPresent
        let isSettled = now >= renewed + Self.settling && symptom == nil
        switch fault {
        case .refusedRole: return isSettled && observed.hasRoles
        case .garbledStream: return isSettled
        case .scanStopped: return isGood || symptom == nil && observed.proof.latest >= renewed
        case .wrongScanMode(.duplicatesFiltered):
            // Time-multiplexed roles, and the slots of Exposure Notification, start the scan again all the
            // time. So a filter does no harm, and nothing shows whether there is one.
            // A dismissed filter is over when the detector has begun anew: it finds the filter again.
            let isAnew = suspectedFault == nil && duplicateFilter.start > renewed + Self.settling
            return isGood && (duplicateFilter.lastFound > renewed || isAnew || observed.scanStarts == nil)
        case .wrongScanMode: return isGood && isSettled
        default: return isGood
        }
    }
}
