import FixedMemory
import HCI
import Peers

/// Whether anybody is heard twice. A controller that filters duplicates reports each peer once, and then
/// never again.
package struct DuplicateFilterDetector: BitwiseCopyable {
    private static let window = Interval.seconds(20)
    /// Those far off are heard now and then; only of those near by is once too rarely.
    private static let near = RSSI(dBm: -80)
    private static let nearPeers = 3
    /// With more reports than this there is no looking at each: no filter lets so many through.
    private static let comparedReports: UInt32 = 256

    private var start = Instant.start
    private var baseReports: UInt32 = 0
    private var baseScanStarts: UInt32 = 0
    private var baseMoves: UInt32 = 0
    /// Each start of the scan empties the filter, and so brings up to as many repetitions as there are
    /// peers; but with more than so many the filter does no harm.
    private static let explainedRepetitions: UInt32 = 24
    /// With such repetitions it takes longer to tell.
    private static let longWindow = Interval.seconds(45)
    /// When somebody was last found to have been heard twice.
    private(set) var lastFound = Instant.start
    /// Several peers near by were heard, and nobody twice, for as long as that takes to mean something.
    private(set) var isMissing = false
    /// Several peers near by were heard since somebody was last found to have been heard twice, and nobody
    /// of them was yet.
    private(set) var isAwaited = false

    mutating func restart(_ observed: RadioHealth.Observation, now: Instant) {
        // Those heard in this very millisecond are in the base already.
        start = now + .milliseconds(1)
        baseReports = observed.hearing.reports
        baseScanStarts = observed.scanStarts
        baseMoves = observed.moves
        isMissing = false
        isAwaited = false
    }

    mutating func advance(_ observed: RadioHealth.Observation, peers: borrowing PeerTable, now: Instant) {
        let reports = observed.hearing.reports &- baseReports
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

    /// Whether it is still so that nobody was, where what has come since the last second is not to be lost.
    mutating func recheck(_ observed: RadioHealth.Observation, peers: borrowing PeerTable) {
        guard isAwaited else { return }
        let peerCount = heardPeers(peers) + (observed.moves &- baseMoves)
        isAwaited = observed.hearing.reports &- baseReports <= peerCount
    }

    /// Whether several peers near by were heard since the start, and nobody twice.
    func isOnceOnly(_ peers: borrowing PeerTable) -> Bool {
        peers.countHeard(since: start, atLeast: Self.near, limit: Int(Self.comparedReports))
            >= Self.nearPeers
    }

    private func heardPeers(_ peers: borrowing PeerTable) -> UInt32 {
        UInt32(
            truncatingIfNeeded: peers.countHeard(since: start, limit: Int(Self.comparedReports) + 1))
    }
}
