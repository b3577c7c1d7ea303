import Archive
import FixedMemory

/// The longest of any number of encounters, in bounded memory.
struct LongestEncounters: Sendable {
    private struct Place: Comparable {
        let duration: Interval
        /// The encounter's place in the order of time.
        let number: Int

        /// Of equally long ones the earlier comes first.
        static func < (one: Place, other: Place) -> Bool {
            (other.duration, one.number) < (one.duration, other.number)
        }
    }

    private let limit: Int
    /// The longest first.
    private var kept: [(place: Place, encounter: EncounterSummary)] = []
    private var count = 0

    init(limit: Int) { self.limit = limit }

    /// - Parameter encounter: begins not before those that were added.
    mutating func add(_ encounter: EncounterSummary) {
        let place = Place(duration: encounter.duration, number: count)
        count += 1
        if kept.count == limit {
            guard let last = kept.last, place < last.place else { return }
            kept.removeLast()
        }
        var (low, high) = (0, kept.count)
        while low < high {
            let middle = (low + high) / 2
            if kept[middle].place < place { low = middle + 1 } else { high = middle }
        }
        kept.insert((place, encounter), at: low)
    }

    /// The longest ones, in order of time.
    func inOrderOfTime(_ count: Int = .max) -> [EncounterSummary] {
        kept.prefix(count).sorted { $0.place.number < $1.place.number }.map(\.encounter)
    }

    /// The longest ones, the longest first.
    func inOrderOfLength(_ count: Int) -> [EncounterSummary] { kept.prefix(count).map(\.encounter) }

    var longest: EncounterSummary? { kept.first?.encounter }
}
