import Simulator
import Testing

@Suite struct SimulatedTimeTests {
    @Test func `earlier times are less`() {
        #expect(SimulatedTime(microseconds: 1) < SimulatedTime(microseconds: 2))
    }
}
