/// The reason for an external recovery at the end of a ``SimulatedRun``. The agent cannot know of the
/// radio's fault, or the fault does no harm (docs/simulator.md).
public enum ExternalRecovery: String, CaseIterable, Codable, Sendable {
    /// The radio became deaf when no device was there to be missed.
    case deafUnmissed
    /// Reports have no content, every rung of the ladder was tried, and the next reset is minutes away.
    case leftAlone
    /// Duplicates are filtered, and the remaining reports have no data or signal strength.
    case filterAmongUselessReports
    /// Duplicates are filtered, and devices with changing addresses prevent silence.
    case filterAmongRestless
    /// Duplicates are filtered, but the board restarts its scan so often that all devices are heard
    /// repeatedly.
    case filterHarmless
    /// Duplicates are filtered, and the agent did not detect it although it could. The run has failed.
    case filterUndetected

    /// For people.
    public var text: String {
        switch self {
        case .deafUnmissed: "deaf, no device expected"
        case .leftAlone: "useless reports, left alone for a time"
        case .filterAmongUselessReports: "filter among reports without content"
        case .filterAmongRestless: "filter among ever new addresses"
        case .filterHarmless: "filter that does no harm"
        case .filterUndetected: "filter, not detected"
        }
    }
}
