import FixedMemory
import HCI
import Peers

/// Reports without data or RSSI since the last good one. Some devices send no data, and a controller out of
/// order takes it from everybody's adverts. So only such reports of several senders are suspicious, or of one
/// that is known for its data.
struct EmptyReports: BitwiseCopyable {
    /// What makes the reports suspicious.
    enum Evidence: BitwiseCopyable {
        case none, ofSeveral
        /// One of them came from a peer that is known for its data. So this peer sends adverts now.
        case ofKnownPeer
    }

    /// Reports that come further apart than this have nothing to do with each other.
    private static let longestPause = Interval.seconds(30)

    /// All such reports. The count wraps around.
    private(set) var total: UInt32 = 0
    private(set) var count: UInt32 = 0
    private var last = Instant.start
    private var sender = DeviceAddress(value: 0, isRandom: false)
    private var areOfSeveral = false

    /// Records the empty reports of one event. Out of line, because such events are rare.
    @inline(never)
    mutating func record(_ reports: AdvertisingReports, now: Instant) {
        var rest = reports
        while let report = rest.next() {
            if ScanStatistics.isEmpty(report) { record(from: report.address, now: now) }
        }
    }

    private mutating func record(from address: DeviceAddress, now: Instant) {
        if now > last + Self.longestPause { forget() }
        areOfSeveral = count > 0 && (areOfSeveral || address != sender)
        total &+= 1
        count &+= 1
        sender = address
        last = now
    }

    /// A good report came, or the scan was renewed.
    @inline(__always)
    mutating func forget() { count = 0 }

    /// What the reports show. `before`: what they showed a second ago.
    func evidence(_ peers: borrowing PeerTable, before: Evidence, now: Instant) -> Evidence {
        guard count > 0, now <= last + Self.longestPause else { return .none }
        if before == .ofKnownPeer { return before }
        if let slot = peers.find(PeerKey(sender)), peers.slots[slot].interest != .ignored {
            return .ofKnownPeer
        }
        return areOfSeveral ? .ofSeveral : .none
    }
}
