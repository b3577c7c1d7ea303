import Archive
import FixedMemory

/// Adds up the time for which peers were near any board. A peer's time counts once, however many boards heard
/// it.
///
/// Encounters come in order of time, so a peer matters only until its last end: memory is that of the peers
/// who are near at one moment.
struct NearTime: Sendable {
    private(set) var total = Interval.zero
    private var ends: [UInt64: TimelinePoint] = [:]
    private var clock: FigureScope.Kind?
    /// The number of peers at which those that have gone are removed.
    private var sweepCount = 1_024

    mutating func add(_ encounter: EncounterSummary, of peer: UInt64) {
        let clock = FigureScope.Kind(encounter)
        if clock != self.clock {
            self.clock = clock
            ends.removeAll()
        }
        let position = ends[peer] ?? .distantPast
        total = total + encounter.end.interval(since: max(encounter.start, position))
        ends[peer] = max(position, encounter.end)
        if ends.count > sweepCount {
            ends = ends.filter { $0.value > encounter.start }
            sweepCount = max(1_024, ends.count * 2)
        }
    }
}
