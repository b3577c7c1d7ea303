import FixedMemory
import Testing

@testable import Simulator

/// Whether the check of coverage lets the agent take blindness for a departure of all devices.
@Suite struct DepartureInBlindnessTests {
    /// Blind from 10 s on; the last good report came at 9 s.
    private func blindness(assumedEmptyAt time: Instant, isDeparture: Bool = true) -> Blindness {
        var blindness = Blindness(
            start: 10_000, silentSince: 9_000, end: 60_000, isHidden: true, detectionDelay: .zero,
            isOfFew: false,
            linkedUntil: 10_000, reportDelay: .zero)
        blindness.assumeEmpty(at: time, isDeparture: isDeparture)
        return blindness
    }

    @Test(arguments: [20_900, 21_000, 21_500, 61_000] as [Instant])
    func `twelve seconds after the last report a silence may be a departure`(time: Instant) {
        let mayBe = time >= 21_000 && time <= 60_000
        #expect(blindness(assumedEmptyAt: time).known == 10_000..<(mayBe ? time : 60_000))
    }

    @Test func `after all recovery an empty room may be assumed at any time of the blindness`() {
        #expect(blindness(assumedEmptyAt: 10_500, isDeparture: false).known == 10_000..<10_500)
    }
}
