/// Why the world mends a radio at the end of a ``SimulatedRun``: something is wrong with it that its agent cannot know of, or
/// that does no harm (docs/simulator.md).
public enum OutsideMending: String, CaseIterable, Codable, Sendable {
    /// It went deaf when nobody was there to be missed.
    case deafUnmissed
    /// Duplicates are filtered, and what still comes is without data or signal strength.
    case filterAmongUselessReports
    /// Duplicates are filtered, and those whose addresses change keep the room from falling silent.
    case filterAmongRestless
    /// Duplicates are filtered, and the board starts its scan anew so often that all are heard again and again.
    case filterHarmless
    /// Duplicates are filtered, which could be told and was not: the run has failed.
    case filterUntold

    /// For people.
    public var words: String {
        switch self {
        case .deafUnmissed: "deaf, nobody missed"
        case .filterAmongUselessReports: "filter among reports without content"
        case .filterAmongRestless: "filter among ever new addresses"
        case .filterHarmless: "filter that does no harm"
        case .filterUntold: "filter, not told"
        }
    }
}
