import Archive
import FixedMemory

/// The share of each part of the time in which a board listened.
struct ListeningShares {
    enum Part: Equatable {
        /// The share of the recorded time, from 0 to 1.
        case listened(Double)
        /// Before the log begins, or not fetched yet.
        case unrecorded
    }

    let parts: [Part]

    init(_ timeline: CoverageTimeline, in bins: TimeBins) {
        var covered = [Interval](repeating: .zero, count: bins.count)
        var recorded = covered
        for interval in timeline.covered {
            bins.forEachPart(of: interval.start...interval.end) { covered[$0] = covered[$0] + $1 }
        }
        for interval in timeline.blind where !interval.cause.isUnrecorded {
            bins.forEachPart(of: interval.start...interval.end) { recorded[$0] = recorded[$0] + $1 }
        }
        parts = zip(covered, recorded).map { covered, blind in
            let total = covered + blind
            guard total > .zero else { return .unrecorded }
            return .listened(Double(covered.milliseconds) / Double(total.milliseconds))
        }
    }
}

extension BlindCause {
    fileprivate var isUnrecorded: Bool { self == .beforeRecord || self == .notFetched }
}
