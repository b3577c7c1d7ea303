import Archive
import FixedMemory
import LogContents

extension SampleWorld {
    /// An encounter of one boot, with 1,500 readings unless they are given, and one clock.
    package static func encounter(
        with identity: Identity?, on timeline: Encounter.Timeline = .wallClock(error: 40),
        _ span: ClosedRange<TimelinePoint>, readingCount: Int = 1_500, samples: [Sample<TimelinePoint>]
    ) -> Encounter {
        let summary = EncounterSummary(
            board: board, identity: identity,
            span: EncounterSpan(timeline: timeline, start: span.lowerBound, end: span.upperBound),
            peer: PeerDescription(), signal: EncounterSignal(readingCount: readingCount), boots: [1])
        return Encounter(summary, samples: samples)
    }
}
