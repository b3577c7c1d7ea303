import FixedMemory
import HCI
import Peers

/// Detects a duplicate filter in the controller, which reports each peer once after each start of the scan
/// and then never again. Peers that were heard once and have left look the same, until the scan starts again:
/// only a filter then reports all of them once more.
package struct DuplicateFilterDetector: BitwiseCopyable {
    /// How long near peers must be heard once only, before the scan is renewed to see what happens.
    private static let patience = Interval.seconds(7)
    /// The time for the same if starts of the scan follow each other more closely.
    private static let longPatience = Interval.seconds(45)
    /// The time without a suspicion after which the comparison begins anew.
    private static let window = Interval.seconds(20)
    /// The least RSSI of a near peer. A far peer may be heard just once even without a filter.
    private static let near = RSSI(dBm: -80)
    private static let nearPeers = 3
    /// More reports than this show that no filter is at work, for any number of peers.
    private static let comparedReports: UInt32 = 256
    /// The largest number of repetitions that starts of the scan explain, unless silence follows them each
    /// time.
    private static let explainedRepetitions: UInt32 = 24
    /// How long a burst of connections with silence after it counts.
    private static let burstMemory = Interval.seconds(60)
    /// A filter passes all near peers within this time after a start of the scan, and then none.
    private static let echoLength = Interval.seconds(4)
    /// After so many starts the near peers must have been heard once.
    private static let leastEchoes: UInt32 = 2

    /// The counts at the beginning of the comparison.
    private struct Counts: BitwiseCopyable {
        /// Whether the scan listens for a part of the time only, so that few peers are heard twice.
        var isSparse = false
        var reports: UInt32 = 0
        var scanStarts: UInt32 = 0
        var moves: UInt32 = 0
    }

    /// Whether a denser scan is wanted: it would soon hear a peer twice, unless a filter is at work.
    private(set) var wantsDenseScan = false
    /// When the comparison began.
    private(set) var start = Instant.start
    private var base = Counts()
    private var scanStarts: UInt32 = 0
    /// When the scan started last; never before ``start``.
    private var lastScanStart = Instant.start
    /// A time shortly before the last start of the scan, which is noticed up to a second late.
    private var beforeScanStart = Instant.start
    private var lastCheck = Instant.start
    /// Whether several peers were heard since the last start of the scan.
    private var hasEcho = false
    /// The number of starts after which several peers were heard.
    private var echoes: UInt32 = 0
    /// When near peers were last heard as often as the scan started in a burst of connections, and then fell
    /// silent. Twice in a row, that shows a filter.
    private var silentBurst: Instant?
    /// When a peer was last found to be heard twice.
    private(set) var lastFound = Instant.start
    /// Whether several near peers were heard once after each start of the scan, and never else: a filter is
    /// likely.
    private(set) var isMissing = false
    /// Whether several near peers were heard since the last repetition, and none of them twice, apart from
    /// starts of the scan.
    private(set) var isAwaited = false
    /// A start of the scan was wanted, and nothing has shown since that no filter is at work.
    private var isTesting = false
    /// Whether the next start of the scan would show more.
    private(set) var wantsRenewal = false

    mutating func restart(_ observed: RadioHealth.Observation, now: Instant) {
        let found = lastFound
        self = DuplicateFilterDetector()
        lastFound = found
        // Reports of this millisecond are in the base already.
        start = now + .milliseconds(1)
        lastScanStart = start
        beforeScanStart = start
        lastCheck = start
        base = Counts(
            isSparse: observed.isSparse, reports: observed.statistics.reports,
            scanStarts: observed.scanStarts ?? 0, moves: observed.moves)
    }

    mutating func advance(_ observed: RadioHealth.Observation, peers: borrowing PeerTable, now: Instant) {
        guard let allStarts = observed.scanStarts, base.isSparse == observed.isSparse else {
            return restart(observed, now: now)
        }
        let starts = UInt32(max(Int32(bitPattern: allStarts &- base.scanStarts), 0))
        if starts != scanStarts {
            if !wantsRenewal, hasEcho { echoes &+= 1 }
            scanStarts = starts
            lastScanStart = now
            beforeScanStart = lastCheck
            wantsRenewal = false
        }
        lastCheck = now
        hasEcho =
            peers.countHeard(since: beforeScanStart, limit: Int(Self.comparedReports)) >= Self.nearPeers
        let reports = observed.statistics.reports &- base.reports
        let peerCount = peerCount(observed, peers)
        guard isExplained(reports, peerCount: peerCount) else {
            // A burst of connections starts the scan so often that even a filter passes more.
            if reports > min(Self.comparedReports, peerCount &* (starts &+ 1)) { lastFound = now }
            return restart(observed, now: now)
        }
        let isOnceOnly =
            peers.countHeard(since: start, atLeast: Self.near, limit: Int(Self.comparedReports))
            >= Self.nearPeers
        if base.isSparse {
            return advanceSparse(observed, isOnceOnly: isOnceOnly, reports, peerCount, now: now)
        }
        if let burst = silentBurst, now >= burst + Self.burstMemory { silentBurst = nil }
        let isBurst = isBurst(reports, peerCount: peerCount)
        // A filter has soon passed all that are near.
        let areEverNew = peerCount > Self.explainedRepetitions
        isAwaited = isOnceOnly && (isTesting && !isBurst || reports <= peerCount && !areEverNew)
        guard isOnceOnly else {
            guard now >= start + Self.window else { return }
            let burst = silentBurst
            restart(observed, now: now)
            silentBurst = burst
            return
        }
        let isLong = now >= start + Self.longPatience
        guard !wantsRenewal, now >= lastScanStart + Self.patience || isLong else { return }
        let lastGood = observed.statistics.lastGood ?? .start
        if starts == 0 {
            // Several were heard once, and then nobody.
            wantsRenewal = now >= lastGood + Self.echoLength
        } else {
            let isEcho = lastGood <= lastScanStart + Self.echoLength
            if isBurst {
                let isSilent = hasEcho && isEcho && now >= lastScanStart + Self.patience
                return recordBurst(observed, isSilent: isSilent, now: now)
            }
            if hasEcho { echoes &+= 1 }
            let hasRepetitions = reports >= peerCount + UInt32(Self.nearPeers)
            // Nobody is left, somebody is heard again and again, or each report has another sender.
            guard echoes > 0, isEcho || isLong, hasRepetitions || echoes < Self.leastEchoes else {
                return restart(observed, now: now)
            }
            isMissing = echoes >= Self.leastEchoes
            wantsRenewal = !isMissing
        }
        isTesting = isTesting || wantsRenewal
    }

    /// Judges nothing by a sparse scan, but asks for a dense one.
    private mutating func advanceSparse(
        _ observed: RadioHealth.Observation, isOnceOnly: Bool, _ reports: UInt32, _ peerCount: UInt32,
        now: Instant
    ) {
        isAwaited = isOnceOnly && reports <= peerCount
        wantsDenseScan = isOnceOnly && now >= start + Self.patience
        if !isOnceOnly, now >= start + Self.window { restart(observed, now: now) }
    }

    /// Handles a burst of connections in which starts of the scan explain all reports.
    private mutating func recordBurst(
        _ observed: RadioHealth.Observation, isSilent: Bool, now: Instant
    ) {
        guard isSilent, silentBurst == nil else {
            if isSilent { isMissing = true } else { restart(observed, now: now) }
            return
        }
        restart(observed, now: now)
        silentBurst = now
    }

    /// Updates ``isAwaited`` with the reports since the last second: a repetition among them confirms the
    /// scan until now.
    mutating func recheck(_ observed: RadioHealth.Observation, peers: borrowing PeerTable) {
        guard isAwaited else { return }
        let reports = observed.statistics.reports &- base.reports
        let peerCount = peerCount(observed, peers)
        isAwaited =
            isTesting
            ? isExplained(reports, peerCount: peerCount) && !isBurst(reports, peerCount: peerCount)
            : reports <= peerCount
    }

    /// Whether a filter would have passed so many reports: each peer once, and once more after each start of
    /// the scan.
    private func isExplained(_ reports: UInt32, peerCount: UInt32) -> Bool {
        reports <= min(Self.comparedReports, peerCount &* (scanStarts &+ 1))
    }

    /// Whether there were more repetitions than starts of the scan explain alone.
    private func isBurst(_ reports: UInt32, peerCount: UInt32) -> Bool {
        reports > peerCount + Self.explainedRepetitions
    }

    /// The number of peers that were heard, each as often as it has moved to a new address.
    private func peerCount(_ observed: RadioHealth.Observation, _ peers: borrowing PeerTable) -> UInt32 {
        UInt32(truncatingIfNeeded: peers.countHeard(since: start, limit: Int(Self.comparedReports) + 1))
            + (observed.moves &- base.moves)
    }
}
