import Archive
import FixedMemory
import LogContents

/// How many were near each board over time, in a bounded number of parts of the time. It takes quarters of an
/// hour one after the other.
public struct Occupancy: Sendable {
    struct Part: Sendable, Equatable {
        /// The most peers at one moment.
        var peak = 0
        /// The most peers of a quarter of an hour.
        var most = 0
        /// The sum of the times of all peers.
        var present = Interval.zero
    }

    /// The most at one moment at a board, and the quarter of an hour in which that was.
    struct Peak: Sendable, Equatable {
        let board: LogIdentity
        let start: WallClockTime
        let count: Int
    }

    let bins: TimeBins
    private(set) var boards: [LogIdentity: [Part]] = [:]
    private(set) var peaks: [LogIdentity: Peak] = [:]

    public init(bins: TimeBins) { self.bins = bins }

    /// Whether the whole time is one part, so that there is nothing to compare.
    var isOneStep: Bool { bins.count < 2 }

    public mutating func add(_ slot: PresenceSlot) {
        let index = bins.index(of: TimelinePoint(slot.start).milliseconds)
        boards[slot.board, default: [Part](repeating: Part(), count: bins.count)][index].add(slot)
        if slot.peakCount > peaks[slot.board]?.count ?? 0 {
            peaks[slot.board] = Peak(board: slot.board, start: slot.start, count: slot.peakCount)
        }
    }

    /// The highest peak of all boards; of equal ones the first in time.
    var highest: Peak? {
        peaks.values.min {
            (-$0.count, $0.start, $0.board.hexadecimal) < (-$1.count, $1.start, $1.board.hexadecimal)
        }
    }

    /// The mean number of peers at a moment.
    func mean(_ part: Part, at index: Int) -> Double {
        let length = bins.length(index).milliseconds
        return length > 0 ? Double(part.present.milliseconds) / Double(length) : 0
    }
}

extension Occupancy.Part {
    fileprivate mutating func add(_ slot: PresenceSlot) {
        peak = max(peak, slot.peakCount)
        most = max(most, slot.peerCount)
        present = present + slot.presentTime
    }
}
