import Simulator
import Testing

@Suite struct SimulatedTimeTests {
    @Test func earlierTimesAreLess() {
        #expect(SimulatedTime(microseconds: 1) < SimulatedTime(microseconds: 2))
    }
}
