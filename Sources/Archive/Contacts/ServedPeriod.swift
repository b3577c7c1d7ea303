import FixedMemory
import Foundation
import GRDB

/// A period in which a board served an identity that names it.
struct ServedPeriod: Hashable {
    let identity: Identity
    /// The boot without a wall clock from which its times count; nil if they are on the wall clock.
    let boot: UInt64?
    let start: TimelinePoint
    let end: TimelinePoint
    /// The worst error of both times; nil if unknown or not on the wall clock.
    let error: Interval?

    /// The periods of one boot, in order of time.
    ///
    /// - Parameters:
    ///   - own: the identities that the boot served, in order of time.
    ///   - end: when the last one may have ended.
    static func periods(
        of own: [OwnIdentityRecord], until end: Instant, on placement: BootPlacement
    ) -> [ServedPeriod] {
        own.enumerated().compactMap { place, record in
            guard let identity = record.identity, identity.namesSomeone else { return nil }
            // The board serves each scheme's identity until the next one, or until it serves none.
            let next = own[(place + 1)...].first { later in
                later.identity.map { $0.scheme == identity.scheme } ?? true
            }
            return ServedPeriod(
                identity: identity, from: record.instant, until: max(record.instant, next?.instant ?? end),
                on: placement)
        }
    }

    init(identity: Identity, boot: UInt64?, start: TimelinePoint, end: TimelinePoint, error: Interval?) {
        self.identity = identity
        self.boot = boot
        self.start = start
        self.end = end
        self.error = error
    }

    private init(identity: Identity, from first: Instant, until last: Instant, on placement: BootPlacement) {
        self.identity = identity
        boot = placement.isOnWallClock ? nil : placement.boot
        start = placement.point(at: first)
        end = placement.point(at: last)
        error = placement.error(at: first).flatMap { error in
            placement.error(at: last).map { max(error, $0) }
        }
    }

    /// Likenesses of the encounters with this identity: as a board read it, and as the peer wrote it.
    var likenesses: (read: Data, written: Data) {
        (
            EncounterKey.identity(identity, isWritten: false).digest,
            EncounterKey.identity(identity, isWritten: true).digest
        )
    }
}
