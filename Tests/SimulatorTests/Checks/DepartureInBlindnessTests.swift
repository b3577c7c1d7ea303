import FixedMemory
import Testing

@testable import Simulator

/// Whether the check of coverage lets the agent take blindness for a departure of all devices.
@Suite struct DepartureInBlindnessTests {
    /// Blind from 10 s on; the last good report came at 9 s.
    private func blindness(
        isHidden: Bool, assumedEmptyAt time: Instant, isDeparture: Bool = true
    ) -> Blindness {
        var blindness = Blindness(
            start: 10_000, silentSince: 9_000, end: 60_000, isHidden: isHidden, detectionDelay: .zero,
            isOfFew: false, linkedUntil: 10_000, reportDelay: .zero)
        blindness.assumeEmpty(at: time, isDeparture: isDeparture)
        return blindness
    }

    @Test(arguments: [24_900, 25_000, 60_000, 61_000] as [Instant])
    func `sixteen seconds after the last report a hidden blindness may be a departure`(time: Instant) {
        let mayBe = time >= 25_000 && time <= 60_000
        #expect(
            blindness(isHidden: true, assumedEmptyAt: time).known == 10_000..<(mayBe ? time : 60_000))
    }

    /// The controller's answers show when it began, whatever was heard before.
    @Test(arguments: [21_900, 22_000, 60_000, 61_000] as [Instant])
    func `twelve seconds after its beginning a blindness that answers show may be one`(time: Instant) {
        let mayBe = time >= 22_000 && time <= 60_000
        #expect(
            blindness(isHidden: false, assumedEmptyAt: time).known == 10_000..<(mayBe ? time : 60_000))
    }

    @Test func `after all recovery an empty room may be assumed at any time of the blindness`() {
        #expect(
            blindness(isHidden: true, assumedEmptyAt: 10_500, isDeparture: false).known == 10_000..<10_500)
    }
}
