import HCI
import Peers

/// Whether anybody is heard twice. A controller that filters duplicates reports each peer once, and then never again.
struct RepetitionCheck: BitwiseCopyable {
    private static let windowMilliseconds: UInt64 = 20_000
    /// Those far off are heard now and then; only of those near by is once too rarely.
    private static let near = RSSI(dBm: -80)
    private static let nearPeers = 3
    /// With more reports than this there is no looking at each: no filter lets so many through.
    private static let comparedReports: UInt32 = 256

    private var startMilliseconds: UInt64 = 0
    private var baseReports: UInt32 = 0
    /// When somebody was last found to have been heard twice.
    private(set) var lastFoundMilliseconds: UInt64 = 0
    /// Several peers near by were heard, and nobody twice, for as long as that takes to mean something.
    private(set) var isMissing = false
    /// Several peers near by were heard since somebody was last found to have been heard twice, and nobody of them was yet.
    private(set) var isAwaited = false

    mutating func restart(_ hearing: Hearing, nowMilliseconds now: UInt64) {
        // Those heard in this very millisecond are in the base already.
        startMilliseconds = now + 1
        baseReports = hearing.reports
        isMissing = false
        isAwaited = false
    }

    mutating func advance(_ hearing: Hearing, peers: borrowing PeerTable, nowMilliseconds now: UInt64) {
        let reports = hearing.reports &- baseReports
        if reports > Self.comparedReports || reports > heardPeers(peers) {
            lastFoundMilliseconds = now
            restart(hearing, nowMilliseconds: now)
            return
        }
        isAwaited = isOnceOnly(peers)
        guard now >= startMilliseconds + Self.windowMilliseconds else { return }
        if isAwaited { isMissing = true } else { restart(hearing, nowMilliseconds: now) }
    }

    /// Whether several peers near by were heard since the start, and nobody twice.
    func isOnceOnly(_ peers: borrowing PeerTable) -> Bool {
        peers.countHeard(
            sinceMilliseconds: startMilliseconds, atLeast: Self.near, limit: Int(Self.comparedReports))
            >= Self.nearPeers
    }

    private func heardPeers(_ peers: borrowing PeerTable) -> UInt32 {
        UInt32(
            truncatingIfNeeded: peers.countHeard(
                sinceMilliseconds: startMilliseconds, limit: Int(Self.comparedReports) + 1))
    }
}
