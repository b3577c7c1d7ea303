import EncounterLog
import FixedMemory

/// One episode of radio trouble, from the first recovery step to its outcome.
public struct RadioEpisode: Sendable, Equatable {
    public enum Outcome: String, Sendable {
        case recovered, assumedEmpty, gaveUp
        /// The log contains no outcome: the episode continues, or the entry that ended it is lost.
        case open
    }

    public var start: TimelinePoint
    public var end: TimelinePoint
    /// In order of appearance, each once.
    public var faults: [RadioFaultKind]
    /// In the order in which they were taken.
    public var rungs: [RecoveryRung]
    /// The detail of the first fault.
    public var detail: UInt32
    public var outcome: Outcome

    public init(
        start: TimelinePoint, end: TimelinePoint, faults: [RadioFaultKind], rungs: [RecoveryRung],
        detail: UInt32 = 0, outcome: Outcome
    ) {
        self.start = start
        self.end = end
        self.faults = faults
        self.rungs = rungs
        self.detail = detail
        self.outcome = outcome
    }

    /// True if the radio was faulty. A room that was assumed empty without any recovery step is not a fault.
    public var isFault: Bool { outcome != .assumedEmpty || !rungs.isEmpty }

    /// The longest pause within one episode. Rungs follow each other within minutes, so a later one belongs
    /// to another fault.
    static let longestPause = Interval.minutes(15)

    /// Groups incidents into episodes, in order of time and without overlap.
    static func episodes(_ incidents: [RadioIncident], on placement: BootPlacement) -> [RadioEpisode] {
        var episodes: [RadioEpisode] = []
        // The last incident of the last episode.
        var last = Instant.start
        for incident in incidents.sorted(by: { $0.instant < $1.instant }) {
            let point = placement.point(at: incident.instant)
            if episodes.last?.outcome == .open, incident.instant - last <= longestPause {
                episodes[episodes.count - 1].append(incident, at: point)
            } else if let episode = RadioEpisode(incident, at: point) {
                episodes.append(episode)
            } else {
                continue
            }
            last = incident.instant
        }
        return episodes
    }

    /// Merges the episodes of one blind interval; nil if there are none.
    static func joined(_ episodes: some Sequence<RadioEpisode>) -> RadioEpisode? {
        var result: RadioEpisode?
        for episode in episodes {
            guard var joined = result else {
                result = episode
                continue
            }
            joined.end = max(joined.end, episode.end)
            joined.faults += episode.faults.filter { !joined.faults.contains($0) }
            joined.rungs += episode.rungs
            joined.outcome = episode.outcome
            result = joined
        }
        return result
    }

    /// Nil for an event of a later version, which cannot begin an episode.
    private init?(_ incident: RadioIncident, at point: TimelinePoint) {
        switch incident.event {
        case .rungTaken, .recovered, .assumedEmpty, .gaveUp: break
        default: return nil
        }
        start = point
        end = point
        faults = []
        rungs = []
        detail = incident.detail
        outcome = .open
        append(incident, at: point)
        // If the entries of the episode's beginning are lost, this entry still names the highest rung.
        if incident.event == .recovered, incident.rung != .none { rungs = [incident.rung] }
    }

    private mutating func append(_ incident: RadioIncident, at point: TimelinePoint) {
        end = point
        if incident.fault.rawValue != 0, !faults.contains(incident.fault) { faults.append(incident.fault) }
        switch incident.event {
        case .rungTaken: rungs.append(incident.rung)
        case .recovered: outcome = .recovered
        case .assumedEmpty: outcome = .assumedEmpty
        case .gaveUp: outcome = .gaveUp
        default: break
        }
    }
}
