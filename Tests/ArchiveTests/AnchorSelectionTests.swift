import FixedMemory
import TestSupport
import Testing

@testable import Archive

/// The anchors of one boot that are believed.
@Suite struct AnchorSelectionTests {
    private func host(_ instant: Instant, _ wallClock: WallClockTime, error: Interval) -> Anchor {
        Anchor(instant: instant, wallClock: wallClock, error: error, source: .host)
    }

    @Test func `a wrong date that one host states seven times does not outvote a better reading`() {
        let wrong = noon - .days(365)
        let repeats = (0..<7).map { number in
            host(.start + .minutes(number), wrong + .minutes(number), error: .milliseconds(2_500))
        }
        let reading = host(.start + .minutes(10), noon, error: .milliseconds(2))
        let selection = AnchorSelection(repeats + [reading])
        #expect(selection.bounds == [ClockBounds.Bound(reading)])
        #expect((selection.usedCount, selection.rejectedCount) == (1, 7))
    }

    @Test(arguments: [WallClockTime(seconds: 1_577_836_799), WallClockTime(seconds: 4_102_444_800)])
    func `a clock before 2020 or after 2099 is no anchor`(wallClock: WallClockTime) {
        let anchor = host(.start, wallClock, error: .milliseconds(1))
        let selection = AnchorSelection([anchor, host(.start + .minutes(1), noon, error: .milliseconds(5))])
        #expect((selection.usedCount, selection.rejectedCount) == (1, 1))
    }
}
