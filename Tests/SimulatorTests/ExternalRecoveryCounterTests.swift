import Simulator
import Testing

/// The limit for external recoveries of faults that the agent cannot know of.
@Suite struct MendingTallyTests {
    private func tally(_ recoveredCount: Int, of seedCount: Int) -> ExternalRecoveryCounter {
        var tally = ExternalRecoveryCounter()
        for seed in 0..<seedCount {
            tally.add(seed < recoveredCount ? [.deafUnmissed, .filterHarmless] : [])
        }
        return tally
    }

    @Test func `the counter counts seeds, and the reasons separately`() {
        #expect(tally(0, of: 9).text == "0 recovered from outside")
        #expect(
            tally(2, of: 9).text
                == "2 recovered from outside (deaf, no device expected: 2; filter that does no harm: 2)")
    }

    @Test func `external recovery in up to a tenth of the seeds passes`() {
        #expect(tally(10, of: 100).complaint == nil)
        #expect(tally(11, of: 100).complaint?.contains("11 recovered from outside") == true)
    }

    @Test func `a run of fewer than 50 seeds always passes`() {
        #expect(tally(49, of: 49).complaint == nil)
        #expect(tally(50, of: 50).complaint != nil)
    }
}
