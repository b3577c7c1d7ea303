import FixedMemory

/// The quarters of an hour of boards in which encounters, or their contacts, have changed.
final class TouchedTimes {
    /// Ranges of numbers of quarters of an hour since 1970 UTC, in no order, by board.
    private var ranges: [Int64: [Range<Int64>]] = [:]

    /// The years 2000 to 2099. A damaged log, or one of a wrong clock, may have any times.
    private static let plausible = slot(of: 946_684_800_000)..<slot(of: 4_102_444_800_000)
    /// So many ranges are joined before more are added, so that memory stays bounded.
    private static let largestCount = 1 << 16
    /// The pass over all boards may count so many times what is touched.
    private static let densest: Int64 = 8

    /// The number of the quarter of an hour of a moment.
    static func slot(of milliseconds: Int64) -> Int64 {
        let length = Int64(PresenceSlot.length.milliseconds)
        return milliseconds / length - (milliseconds % length < 0 ? 1 : 0)
    }

    /// Adds the times from a first to a last moment, both included.
    func add(board: Int64, from start: Int64, to end: Int64) {
        guard end - start <= Int64(PresenceKeeper.longestEncounter.milliseconds) else { return }
        let range = (Self.slot(of: start)..<(Self.slot(of: max(start, end)) + 1)).clamped(to: Self.plausible)
        guard !range.isEmpty, ranges[board]?.last != range else { return }
        ranges[board, default: []].append(range)
        if let count = ranges[board]?.count, count.isMultiple(of: Self.largestCount) {
            ranges[board] = ranges[board].map(Self.joined)
        }
    }

    /// The ranges of each board, in order and without overlap.
    var slotsByBoard: [Int64: [Range<Int64>]] { ranges.mapValues(Self.joined) }

    /// All slots of all boards, and those between them; nil if there are none.
    var hull: Range<Int64>? {
        let all = ranges.values.joined()
        guard let first = all.map(\.lowerBound).min(), let end = all.map(\.upperBound).max() else {
            return nil
        }
        return first..<end
    }

    /// Whether much of the hull is not touched.
    var isSparse: Bool {
        let touched = slotsByBoard.values.joined().reduce(0) { $0 + Int64($1.count) }
        return Int64(hull?.count ?? 0) * Int64(ranges.count) > touched * Self.densest
    }

    func removeAll() { ranges = [:] }

    private static func joined(_ ranges: [Range<Int64>]) -> [Range<Int64>] {
        var joined: [Range<Int64>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
    }
}
