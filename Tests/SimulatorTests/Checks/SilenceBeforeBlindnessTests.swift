import FixedMemory
import Testing

@testable import Simulator

/// A scan that goes mute in a room that has just fallen silent. The agent counts one silence, and takes it
/// for a departure, although the scan was mute for a part of it only.
@Suite struct SilenceBeforeBlindnessTests {
    private let checked = CheckedBoard()

    /// Lets five phones leave at once, and some seconds pass.
    private func leave() {
        checked.board.powerOn()
        let phones = (0..<5).map { checked.add("phone \($0)", .frequent) }
        checked.run(.milliseconds(49_500))
        phones.forEach { $0.setPresent(false) }
        // The phones were heard in 26 of the last 30 seconds, until the next second begins.
        checked.run(.seconds(5))
        for _ in 0..<100 where checked.board.clock.now.milliseconds % 1_000 < 900 {
            checked.run(.milliseconds(10))
        }
    }

    @Test func `a departure counts from the last good report, not from the beginning of the blindness`() {
        leave()
        checked.controller.faults.begin(.muteScan, cure: .byItself)
        let start = checked.board.clock.now
        for _ in 0..<200 where checked.board.radioStatus?.state != .quiet { checked.run(.milliseconds(100)) }
        // Measured from here, the silence is too short for a departure.
        #expect(checked.board.radioStatus?.state == .quiet)
        #expect(checked.board.clock.now - start < .seconds(12))
        checked.run(.seconds(60))
        checked.board.stop()
        checked.run(.seconds(2))
        #expect(checked.end().map(\.check) == [])
    }
}
