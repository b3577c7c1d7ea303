import FixedMemory
import HCI
import Peers

/// Detects a duplicate filter in the controller, which reports each peer once and then never again.
package struct DuplicateFilterDetector: BitwiseCopyable {
    private static let window = Interval.seconds(20)
    /// The least RSSI of a near peer. A far peer may be heard just once even without a filter.
    private static let near = RSSI(dBm: -80)
    private static let nearPeers = 3
    /// More reports than this show that no filter is at work, for any number of peers.
    private static let comparedReports: UInt32 = 256

    private var start = Instant.start
    private var baseReports: UInt32 = 0
    private var baseScanStarts: UInt32 = 0
    private var baseMoves: UInt32 = 0
    /// The largest number of repetitions that starts of the scan explain: each start empties the filter,
    /// which then passes every peer once more. A filter that passes more does no harm.
    private static let explainedRepetitions: UInt32 = 24
    /// The window if starts of the scan may explain some repetitions.
    private static let longWindow = Interval.seconds(45)
    /// When a peer was last found to be heard twice.
    private(set) var lastFound = Instant.start
    /// Whether several near peers were heard, and none twice for a whole window: a filter is likely.
    private(set) var isMissing = false
    /// Whether several near peers were heard since the last repetition, and none of them twice yet.
    private(set) var isAwaited = false

    mutating func restart(_ observed: RadioHealth.Observation, now: Instant) {
        // Reports of this millisecond are in the base already.
        start = now + .milliseconds(1)
        baseReports = observed.statistics.reports
        baseScanStarts = observed.scanStarts
        baseMoves = observed.moves
        isMissing = false
        isAwaited = false
    }

    mutating func advance(_ observed: RadioHealth.Observation, peers: borrowing PeerTable, now: Instant) {
        let reports = observed.statistics.reports &- baseReports
        let starts = UInt32(max(Int32(bitPattern: observed.scanStarts &- baseScanStarts), 0))
        let peerCount = heardPeers(peers) + (observed.moves &- baseMoves)
        let explained = min(min(starts, Self.explainedRepetitions) * peerCount, Self.explainedRepetitions)
        let window = reports > peerCount ? Self.longWindow : Self.window
        if reports > Self.comparedReports || reports > peerCount + explained {
            lastFound = now
            restart(observed, now: now)
            return
        }
        let isOnceOnly = isOnceOnly(peers)
        isAwaited = isOnceOnly && reports <= peerCount
        guard now >= start + window else { return }
        if isOnceOnly {
            isMissing = true
        } else {
            restart(observed, now: now)
        }
    }

    /// Updates ``isAwaited`` with the reports since the last second: a repetition among them confirms the
    /// scan until now.
    mutating func recheck(_ observed: RadioHealth.Observation, peers: borrowing PeerTable) {
        guard isAwaited else { return }
        let peerCount = heardPeers(peers) + (observed.moves &- baseMoves)
        isAwaited = observed.statistics.reports &- baseReports <= peerCount
    }

    /// Whether enough near peers were heard since the start. The caller compares the number of reports with
    /// the number of peers.
    func isOnceOnly(_ peers: borrowing PeerTable) -> Bool {
        peers.countHeard(since: start, atLeast: Self.near, limit: Int(Self.comparedReports))
            >= Self.nearPeers
    }

    private func heardPeers(_ peers: borrowing PeerTable) -> UInt32 {
        UInt32(
            truncatingIfNeeded: peers.countHeard(since: start, limit: Int(Self.comparedReports) + 1))
    }
}
