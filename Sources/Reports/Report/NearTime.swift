import Archive
import FixedMemory

/// The time for which peers were near any board.
enum NearTime {
    /// The sum over all peers. A peer's time counts once, however many boards heard it.
    static func total(_ encounters: [Encounter]) -> Interval {
        Dictionary(grouping: encounters, by: Clocked.init).values.reduce(.zero) { $0 + union($1) }
    }

    /// A peer on one clock; times of different clocks cannot be compared.
    private struct Clocked: Hashable {
        let peer: Peer
        let clock: FigureScope.Kind

        init(_ encounter: Encounter) {
            peer = Peer(encounter)
            clock = FigureScope.Kind(encounter)
        }
    }

    private static func union(_ encounters: [Encounter]) -> Interval {
        var total = Interval.zero
        var position = TimelinePoint.distantPast
        for encounter in encounters.sorted(by: { $0.start < $1.start }) {
            total = total + encounter.end.interval(since: max(encounter.start, position))
            position = max(position, encounter.end)
        }
        return total
    }
}
