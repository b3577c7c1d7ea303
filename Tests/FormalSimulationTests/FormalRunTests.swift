import FormalSimulation
import Simulator
import Testing

/// A short version of Herald's formal test: ten minutes instead of twelve hours. `make formal` runs the whole
/// test.
@Suite struct FormalRunTests {
    /// Two schedules, run once for both tests that compare them: with phones of Herald 2 that are known, and
    /// with phones of Herald 1 that change their addresses.
    private static let known = FormalRun(options(.android2, 10, minutes: 30))
    private static let unknown: FormalRun = {
        var changing = options(.android1, 10, minutes: 30)
        changing.changingCount = 10
        return FormalRun(changing)
    }()

    private static func options(
        _ devices: FormalRun.Devices, _ count: Int = 4, minutes: UInt64 = 10, seed: UInt64 = 1
    ) -> FormalRun.Options {
        var options = FormalRun.Options()
        options.devices = devices
        options.deviceCount = count
        options.duration = .minutes(minutes)
        options.seed = seed
        return options
    }

    @Test
    func `HP-C24, HP-C32: each board hears every other in each half minute, despite links and rotations`() {
        let run = FormalRun(Self.options(.tabard))
        #expect(run.result.pairs.count == 12)
        #expect(run.outcome.figures.detectionPercent == 100)
        #expect(run.outcome.missedWindowCount == 0)
        // Each identity changes at least once, so that all boards meet again under a new identity.
        #expect(run.outcome.encounterCount >= 24)
        #expect(run.outcome.identifiedEncounterCount == run.outcome.encounterCount)
        #expect(run.outcome.linkCount > 0 && run.outcome.linkByteCount > 0)
    }

    @Test func `HP-C20, HP-C24: boards hear phones of many kinds in each half minute`() {
        let run = FormalRun(Self.options(.mixed, 6, seed: 2))
        #expect(run.result.observerCount == 3)
        #expect(run.result.pairs.count == 15)
        #expect(run.outcome.figures.detectionPercent == 100)
        #expect(run.outcome.missedWindowCount == 0)
    }

    @Test func `with all five schemes on, among phones of the other four, boards hear of each other as well`()
    {
        var settings = Self.options(.tabard, 3, minutes: 5)
        settings.otherCount = 5
        let runs = [FormalRun.Schemes.herald, .all].map { schemes in
            settings.schemes = schemes
            return FormalRun(settings)
        }
        for run in runs {
            #expect(run.outcome.figures.detectionPercent == 100)
            #expect(run.outcome.missedWindowCount == 0)
            #expect(run.outcome.violations.isEmpty)
        }
        let (alone, together) = (runs[0].outcome, runs[1].outcome)
        let loss = FormalLoss(before: [alone], after: [together])
        #expect(loss.continuity.mean == 0 && loss.continuity.worst == 0 && loss.continuity.worstSeed == 1)
        // With a scheme off, the board neither reads its phones nor is read by them.
        #expect(alone.otherReadCount == 0 && alone.otherServedCount == 0 && alone.otherKeptAwakeCount == 0)
        #expect(together.otherReadCount > 20 && together.otherServedCount > 2)
        #expect(together.otherKeptAwakeCount > 20)
        #expect(together.linkByteCount > 2 * alone.linkByteCount)
        #expect(together.encounterCount > alone.encounterCount)
    }

    @Test func `the loss of Herald 1.0 with changing addresses is measured against Herald 1.1`() {
        let (known, unknown) = (Self.known.outcome, Self.unknown.outcome)
        let loss = FormalLoss(before: [known], after: [unknown])
        #expect(loss.continuity.mean > 20)
        #expect(loss.continuity.worst == loss.continuity.mean)
        #expect(
            FormalLoss(before: [known, known], after: [known, unknown]).continuity.mean < loss.continuity.mean
        )
    }

    @Test func `the same seed gives the same test`() {
        let runs = (0..<2).map { _ in FormalRun(Self.options(.tabard, 2, minutes: 2, seed: 5)) }
        #expect(runs[0].trace == runs[1].trace)
        #expect(runs[0].result == runs[1].result)
        #expect(FormalRun(Self.options(.tabard, 2, minutes: 2, seed: 6)).trace != runs[0].trace)
    }

    @Test func `by the same rules a schedule with long pauses shows gaps, and one with short pauses none`() {
        #expect(Self.known.outcome.missedWindowCount == 0)
        #expect(Self.unknown.outcome.figures.continuityPercent < 80)
        #expect(Self.unknown.outcome.failedAttemptCount > 0)
    }
}
