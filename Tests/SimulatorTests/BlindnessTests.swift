import FixedMemory
import TestSupport
import Testing

@testable import Simulator

/// A fault trial fails if the log shows too much blindness, or too little.
@Suite struct BlindnessTests {
    /// Blind from 10 to 40 s of 100.
    private let seeing = TimeRanges([0..<10_000, 40_000..<100_000])

    private func outcome(
        _ fault: ControllerFault = .silence,
        firstRung: FaultOutcome.FirstRung? = .init(fault: .scanStopped, rung: .restartScan),
        covered: Range<Instant>...
    ) -> FaultOutcome {
        var outcome = FaultOutcome(
            fault,
            blindness: BlindnessComparison(seeing: seeing, covered: TimeRanges(covered), within: 0..<100_000))
        outcome.detectedAfterSeconds = 10
        outcome.backAfterSeconds = 10
        outcome.firstRung = firstRung
        return outcome
    }

    @Test func `a log with exactly the true blindness passes`() {
        let outcome = outcome(covered: 0..<10_000, 40_000..<100_000)
        #expect(outcome.complaint == nil)
        #expect(outcome.blindness.trueSeconds == 30)
        #expect(outcome.blindness.loggedSeconds == 30)
    }

    @Test func `a difference of half a second is allowed in both directions`() {
        #expect(outcome(covered: 0..<10_500, 40_000..<100_000).complaint == nil)
        #expect(outcome(covered: 0..<9_500, 40_000..<100_000).complaint == nil)
    }

    @Test func `coverage that extends into blindness is found`() {
        let outcome = outcome(covered: 0..<10_501, 40_000..<100_000)
        #expect(outcome.complaint == "covered while it was blind")
        #expect(outcome.blindness.hiddenSeconds == 0.501)
    }

    @Test func `coverage that ends too early is found`() {
        let outcome = outcome(covered: 0..<9_499, 40_000..<100_000)
        #expect(outcome.complaint == "not covered while it was not blind")
        #expect(outcome.blindness.inventedSeconds == 0.501)
    }

    /// The same amount of blindness at another time is still wrong.
    @Test func `equally long blindness at another time is found`() {
        let outcome = outcome(covered: 0..<20_000, 50_000..<100_000)
        #expect(outcome.blindness.trueSeconds == outcome.blindness.loggedSeconds)
        #expect(outcome.complaint == "covered while it was blind")
    }

    @Test func `a log without any coverage is found`() {
        #expect(outcome().complaint == "not covered while it was not blind")
    }

    @Test func `faults that delay reports are allowed larger differences`() {
        let inexact: [ControllerFault] = [
            .lateEvents, .crowdedReplies, .duplicateFilter, .corruptedStream, .scanEnds, .amnesia, .restart,
        ]
        for fault in ControllerFault.allCases {
            let allowed = outcome(fault, covered: 0..<100_000).allowedHiddenSeconds
            #expect((allowed > 0.5) == inexact.contains(fault), "\(fault)")
        }
    }

    @Test func `a pause with late answers is allowed to be left out, but not to be covered`() {
        let leftOut = outcome(.crowdedReplies, covered: 0..<6_600, 40_000..<100_000)
        #expect(leftOut.complaint == nil)
        let hidden = outcome(.crowdedReplies, covered: 0..<12_100, 40_000..<100_000)
        #expect(hidden.complaint == "covered while it was blind")
    }

    @Test func `several small differences are allowed`() {
        let outcome = outcome(covered: 0..<10_400, 39_600..<99_600)
        #expect(outcome.complaint == nil)
    }

    @Test func `undecided time does not count as a difference`() {
        let comparison = BlindnessComparison(
            seeing: seeing, covered: TimeRanges([0..<100_000]), undecided: TimeRanges([10_000..<39_800]),
            within: 0..<100_000)
        #expect(comparison.hiddenSeconds == 0.2)
    }

    @Test func `a recovery that comes too late, or not at all, is found`() {
        var late = outcome(covered: 0..<10_000, 40_000..<100_000)
        late.backAfterSeconds = 60.1
        #expect(late.complaint == "not back in time")
        late.backAfterSeconds = nil
        #expect(late.complaint == "not back in time")
    }

    @Test func `a detection that comes too late is found`() {
        var unnoticed = FaultOutcome(
            .silence,
            blindness: BlindnessComparison(
                seeing: TimeRanges([0..<10_000]), covered: TimeRanges([0..<10_000]), within: 0..<100_000))
        unnoticed.backAfterSeconds = 10
        unnoticed.firstRung = FaultOutcome.FirstRung(fault: .scanStopped, rung: .restartScan)
        // The board became blind 10 s after the start of the fault.
        expectDetection(of: unnoticed, withinSeconds: 40)
    }

    @Test func `a late detection is found even if the fault caused no blindness`() {
        let all = TimeRanges([0..<100_000])
        var late = FaultOutcome(
            .scanResponses, blindness: BlindnessComparison(seeing: all, covered: all, within: 0..<100_000))
        late.backAfterSeconds = 1
        late.firstRung = FaultOutcome.FirstRung(fault: .wrongScanMode, rung: .restartScan)
        expectDetection(of: late, withinSeconds: 30)
    }

    @Test(arguments: [.crowdedReplies, .corruptedStream] as [ControllerFault])
    func `an intermittent fault is harmless until it does harm, and must then be detected`(
        fault: ControllerFault
    ) {
        let all = TimeRanges([0..<100_000])
        var outcome = FaultOutcome(
            fault, blindness: BlindnessComparison(seeing: all, covered: all, within: 0..<100_000))
        outcome.backAfterSeconds = 1
        #expect(outcome.complaint == nil && outcome.isHarmless)
        outcome.harmAfterSeconds = 50
        #expect(!outcome.isHarmless)
        expectDetection(of: outcome, withinSeconds: 80)
    }

    @Test func `blindness as long as a pause of the round is harmless, longer blindness is not`() {
        for (end, isHarmless) in [(30_000, true), (30_001, false)] as [(Instant, Bool)] {
            let seeing = TimeRanges([0..<10_000, end..<100_000])
            var outcome = FaultOutcome(
                .lateEvents,
                blindness: BlindnessComparison(seeing: seeing, covered: seeing, within: 0..<100_000))
            outcome.backAfterSeconds = 1
            #expect(outcome.isHarmless == isHarmless)
            #expect((outcome.complaint == nil) == isHarmless)
        }
    }

    @Test(
        arguments: [(500, 0, false), (501, 0, true), (0, 50, false), (0, 51, true)]
            as [(UInt64, UInt64, Bool)])
    func `skipped bytes or malformed events above the limit within ten seconds are harm`(
        bytes: UInt64, events: UInt64, isHarm: Bool
    ) {
        for (instant, isInTime) in [(10_900, true), (11_100, false)] as [(Instant, Bool)] {
            var watch = GarbleWatch()
            _ = watch.isOverLimit(skippedBytes: 100, malformedEvents: 7, now: 1_000)
            let isOver = watch.isOverLimit(
                skippedBytes: 100 + bytes, malformedEvents: 7 + events, now: instant)
            #expect(isOver == (isHarm && isInTime))
        }
    }

    /// - Parameter outcome: The outcome of a fault that was not detected, without any other error.
    private func expectDetection(of outcome: FaultOutcome, withinSeconds limit: Double) {
        #expect(outcome.complaint == "not detected in time")
        var detected = outcome
        detected.detectedAfterSeconds = limit
        #expect(detected.complaint == nil)
        detected.detectedAfterSeconds = limit + 0.1
        #expect(detected.complaint == "not detected in time")
    }

    @Test func `a fault diagnosed as another fault, or not at all, is found`() {
        let right = [0..<10_000 as Range<Instant>, 40_000..<100_000]
        for firstRung in [
            nil, .init(fault: .scanStopped, rung: .reset), .init(fault: .emptyReports, rung: .restartScan),
        ]
            as [FaultOutcome.FirstRung?]
        {
            let outcome = outcome(firstRung: firstRung, covered: right[0], right[1])
            #expect(outcome.complaint == "taken for another fault, or for none")
        }
        #expect(outcome(.eventFlood, covered: right[0], right[1]).complaint != nil)
        #expect(outcome(.eventFlood, firstRung: nil, covered: right[0], right[1]).complaint == nil)
    }

    @Test func `a trial in which the fault could not occur is found`() {
        var outcome = outcome(.wedgeWhenConnecting, firstRung: nil, covered: 0..<10_000, 40_000..<100_000)
        #expect(outcome.complaint == "nobody connected, so nothing was tried")
        outcome.linkCount = 1
        #expect(outcome.complaint == nil)
    }

    // These tests run the agent.

    @Test(arguments: [FaultCure.byItself, .scanRestart])
    func `a radio that went deaf in an empty room recovers without a reported fault`(cure: FaultCure) {
        let trial = SilenceTrial(.muteScan, .inAnEmptyRoom, lasting: .minutes(20), cure: cure)
        #expect(trial.complaint == nil)
        #expect(trial.backAfterSeconds != nil)
    }

    @Test(arguments: [ControllerFault.silence, .duplicateFilter, .scanResponses])
    func `the agent's log shows the true blindness`(fault: ControllerFault) {
        let trial = FaultTrial(fault)
        #expect(trial.outcome.complaint == nil, "\(trial.blind) \(trial.uncovered)")
    }

    @Test func `ranges can be inverted, intersected and joined`() {
        #expect(seeing.inverted(within: 5_000..<50_000).ranges == [10_000..<40_000])
        #expect(seeing.inverted(within: 0..<100_000).inverted(within: 0..<100_000) == seeing)
        #expect(
            seeing.intersection(TimeRanges([5_000..<50_000])).ranges == [5_000..<10_000, 40_000..<50_000])
        #expect(TimeRanges([5..<6, 0..<3, 3..<5]).ranges == [0..<6])
    }
}
