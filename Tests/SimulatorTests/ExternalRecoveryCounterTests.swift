import Simulator
import Testing

/// The limit for external recoveries of faults that the agent cannot know of.
@Suite struct MendingTallyTests {
    private func tally(_ mendedCount: Int, of seedCount: Int) -> ExternalRecoveryCounter {
        var tally = ExternalRecoveryCounter()
        for seed in 0..<seedCount { tally.note(seed < mendedCount ? [.deafUnmissed, .filterHarmless] : []) }
        return tally
    }

    @Test func `it counts seeds, and reasons beside them`() {
        #expect(tally(0, of: 9).text == "0 mended from outside")
        #expect(
            tally(2, of: 9).text
                == "2 mended from outside (deaf, nobody missed: 2; filter that does no harm: 2)")
    }

    @Test func `a tenth of the seeds is let pass, and no more`() {
        #expect(tally(10, of: 100).complaint == nil)
        #expect(tally(11, of: 100).complaint?.contains("11 mended from outside") == true)
    }

    @Test func `of few seeds a share says nothing`() {
        #expect(tally(49, of: 49).complaint == nil)
        #expect(tally(50, of: 50).complaint != nil)
    }
}
