import EncounterLog

/// One episode of radio trouble, from the first recovery step to its outcome.
public struct RadioEpisode: Sendable, Equatable {
    public enum Outcome: String, Sendable {
        case recovered, assumedEmpty, gaveUp
        /// The log contains no outcome: the episode continues, or the entry that ended it is lost.
        case open
    }

    public var startMilliseconds: Int64
    public var endMilliseconds: Int64
    /// In order of appearance, each once.
    public var faults: [RadioFaultKind]
    /// In the order in which they were taken.
    public var rungs: [RecoveryRung]
    /// The detail of the first fault.
    public var detail: UInt32
    public var outcome: Outcome

    public init(
        startMilliseconds: Int64, endMilliseconds: Int64, faults: [RadioFaultKind], rungs: [RecoveryRung],
        detail: UInt32 = 0, outcome: Outcome
    ) {
        self.startMilliseconds = startMilliseconds
        self.endMilliseconds = endMilliseconds
        self.faults = faults
        self.rungs = rungs
        self.detail = detail
        self.outcome = outcome
    }

    /// True if the radio was faulty. A room that was assumed empty without any recovery step is not a fault.
    public var isFault: Bool { outcome != .assumedEmpty || !rungs.isEmpty }

    /// The longest pause within one episode. Rungs follow each other within minutes, so a later one belongs
    /// to another fault.
    static let longestPauseMilliseconds: Int64 = 900_000

    /// Groups incidents into episodes, in order of time and without overlap.
    static func episodes(_ incidents: [RadioIncident]) -> [RadioEpisode] {
        var episodes: [RadioEpisode] = []
        for incident in incidents.sorted(by: { $0.monotonicMilliseconds < $1.monotonicMilliseconds }) {
            if let last = episodes.last, last.outcome == .open,
                incident.monotonicMilliseconds - last.endMilliseconds <= longestPauseMilliseconds
            {
                episodes[episodes.count - 1].append(incident)
            } else if let episode = RadioEpisode(incident) {
                episodes.append(episode)
            }
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
            joined.endMilliseconds = max(joined.endMilliseconds, episode.endMilliseconds)
            joined.faults += episode.faults.filter { !joined.faults.contains($0) }
            joined.rungs += episode.rungs
            joined.outcome = episode.outcome
            result = joined
        }
        return result
    }

    func placed(by placement: BootPlacement) -> RadioEpisode {
        var episode = self
        episode.startMilliseconds = placement.milliseconds(at: startMilliseconds)
        episode.endMilliseconds = placement.milliseconds(at: endMilliseconds)
        return episode
    }

    /// Nil for an event of a later version, which cannot begin an episode.
    private init?(_ incident: RadioIncident) {
        switch incident.event {
        case .rungTaken, .recovered, .assumedEmpty, .gaveUp: break
        default: return nil
        }
        startMilliseconds = incident.monotonicMilliseconds
        endMilliseconds = incident.monotonicMilliseconds
        faults = []
        rungs = []
        detail = incident.detail
        outcome = .open
        append(incident)
        // If the entries of the episode's beginning are lost, this entry still names the highest rung.
        if incident.event == .recovered, incident.rung != .none { rungs = [incident.rung] }
    }

    private mutating func append(_ incident: RadioIncident) {
        endMilliseconds = incident.monotonicMilliseconds
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
