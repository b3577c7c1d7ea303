import FixedMemory

/// The quarters of an hour of boards in which encounters, or their contacts, have changed.
final class TouchedTimes {
    /// Numbers of quarters of an hour since 1970 UTC, by board.
    private(set) var slots: [Int64: RangeSet<Int64>] = [:]

    /// The years 2000 to 2099. A damaged log, or one of a wrong clock, may have any times.
    private static let plausible = slot(of: 946_684_800_000)..<slot(of: 4_102_444_800_000)

    /// The number of the quarter of an hour of a moment.
    static func slot(of milliseconds: Int64) -> Int64 {
        let length = Int64(PresenceSlot.length.milliseconds)
        return milliseconds / length - (milliseconds % length < 0 ? 1 : 0)
    }

    /// Adds the times from a first to a last moment, both included.
    func add(board: Int64, from start: Int64, to end: Int64) {
        guard end - start <= Int64(PresenceKeeper.longestEncounter.milliseconds) else { return }
        let range = (Self.slot(of: start)..<(Self.slot(of: max(start, end)) + 1)).clamped(to: Self.plausible)
        slots[board, default: RangeSet()].insert(contentsOf: range)
    }

    /// All slots of all boards, and those between them; nil if there are none.
    var hull: Range<Int64>? {
        let ranges = slots.values.flatMap(\.ranges)
        guard let first = ranges.map(\.lowerBound).min(), let end = ranges.map(\.upperBound).max() else {
            return nil
        }
        return first..<end
    }

    func removeAll() { slots = [:] }
}
