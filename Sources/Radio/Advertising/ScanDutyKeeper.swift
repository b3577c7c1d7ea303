import EncounterLog
import FixedMemory
import Peers

/// Chooses between the timings of a ``ScanDuty``, by who is near.
///
/// A scan that listens for a part of the time hears few peers twice, which is also the sign of a duplicate
/// filter. So the board listens densely for a test now and then: until one peer is heard twice, mostly a
/// second, or long enough to find the filter.
package struct ScanDutyKeeper: BitwiseCopyable, Sendable {
    /// A peer counts as near for so long after its last advert. A phone that is heard once in ten adverts,
    /// and sends one each second, is then not taken for gone.
    package static let stay = Interval.minutes(1)
    /// In this time a dense scan finds a duplicate filter.
    private static let longestTest = Interval.seconds(45)
    private static let testPause = Interval.minutes(2)

    let duty: ScanDuty
    package private(set) var timing: ScanTiming
    private var testStart: Instant?
    private var nextTest = Instant.start

    package init(_ duty: ScanDuty) {
        self.duty = duty
        timing = duty.quiet
    }

    /// Whether the board would listen more in a test.
    var isSparse: Bool { duty.isAdaptive && timing.isSparser(than: duty.connecting) }

    /// Call it once a second.
    /// - Parameters:
    ///   - wantsDenseScan: whether a dense scan would show more about a duplicate filter.
    ///   - lastRepetition: when a peer was last heard twice.
    /// - Returns: the timing before, if another one is due from now on.
    package mutating func advance(
        peers: borrowing PeerTable, wantsDenseScan: Bool = false, lastRepetition: Instant = .start,
        now: Instant
    ) -> ScanTiming? {
        guard duty.isAdaptive else { return nil }
        if let start = testStart {
            if lastRepetition > start || now >= start + Self.longestTest {
                testStart = nil
                nextTest = now + Self.testPause
            }
        } else if wantsDenseScan, now >= nextTest {
            testStart = now
        }
        let isNear = peers.isIdentifiedPeerHeard(since: now.earlier(by: Self.stay))
        let due = testStart != nil ? duty.connecting : isNear ? duty.near : duty.quiet
        guard due != timing else { return nil }
        defer { timing = due }
        return timing
    }
}
