import FixedMemory
import LogContents

/// Two boards were near one beacon at the same time, as it heard them or they heard it. They need not have
/// heard each other.
public struct CommonVisit: Sendable, Equatable {
    public var beacon: LogIdentity
    /// The board whose contact with the beacon began earlier.
    public var first: LogIdentity
    public var second: LogIdentity
    public var start: TimelinePoint
    public var end: TimelinePoint
    /// The worst error of both contacts, either way.
    public var clockError: Interval

    public var duration: Interval { end.interval(since: start) }
}

/// Finds common visits in a sequence of contacts in order of time.
struct CommonVisitFinder {
    private let beacons: Set<LogIdentity>
    /// The contacts with each beacon that a later one may overlap.
    private var present: [LogIdentity: [(visitor: LogIdentity, contact: BoardContact)]] = [:]

    init(beacons: Set<LogIdentity>) { self.beacons = beacons }

    /// The visits that this contact has in common with earlier ones. Contacts of two beacons do not count,
    /// nor those of unknown time, nor those that are not certain: two boards may be one device then.
    mutating func next(_ contact: BoardContact) -> [CommonVisit] {
        guard let error = contact.clockError, contact.certainty == .served,
            let beacon = contact.sides.map(\.board).first(where: beacons.contains),
            let visitor = contact.sides.map(\.board).first(where: { !beacons.contains($0) })
        else { return [] }
        let others = present[beacon, default: []].filter { $0.contact.end >= contact.start }
        present[beacon] = others + [(visitor, contact)]
        return others.filter { $0.visitor != visitor }.map { other in
            CommonVisit(
                beacon: beacon, first: other.visitor, second: visitor, start: contact.start,
                end: min(contact.end, other.contact.end),
                clockError: max(error, other.contact.clockError ?? error))
        }
    }
}
