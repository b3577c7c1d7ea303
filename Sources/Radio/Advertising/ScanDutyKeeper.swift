import EncounterLog
import FixedMemory
import Peers

/// Chooses between the timings of a ``ScanDuty``, by who is near.
package struct ScanDutyKeeper: BitwiseCopyable, Sendable {
    /// A peer counts as near for so long after its last advert. A phone that is heard once in ten adverts,
    /// and sends one each second, is then not taken for gone.
    package static let stay = Interval.minutes(1)

    let duty: ScanDuty
    package private(set) var timing: ScanTiming

    package init(_ duty: ScanDuty) {
        self.duty = duty
        timing = duty.quiet
    }

    /// Call it once a second.
    /// - Returns: the timing before, if another one is due from now on.
    package mutating func advance(peers: borrowing PeerTable, now: Instant) -> ScanTiming? {
        guard duty.isAdaptive else { return nil }
        let isNear = peers.isIdentifiedPeerHeard(since: now.earlier(by: Self.stay))
        let due = isNear ? duty.near : duty.quiet
        guard due != timing else { return nil }
        defer { timing = due }
        return timing
    }
}
