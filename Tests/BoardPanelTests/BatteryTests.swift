import EncounterLog
import TestSupport
import Testing

@testable import BoardPanel

/// When a battery is low, and how its readings are written.
@Suite struct BatteryTests {
    private func reading(_ percent: UInt8?, _ state: BatteryState = .discharging) -> BatteryReading {
        BatteryReading(percent: percent, state: state, isLow: false)
    }

    /// Whether the battery is low after each reading.
    private func judgements(
        _ readings: [BatteryReading?], isLineLow: Bool = false
    ) -> [Bool] {
        var watch = BatteryWatch(lowPercent: 10, stopPercent: 3)
        return readings.map { watch.judge($0, isLineLow: isLineLow).isLow }
    }

    @Test func `a battery is low at its limit, and until it has risen well above`() {
        #expect(judgements([11, 10, 11, 12, 13].map { reading($0) }) == [false, true, true, true, false])
    }

    @Test func `a battery that is charged is not low`() {
        #expect(judgements([reading(5), reading(5, .charging), reading(5, .idle)]) == [true, false, false])
    }

    @Test func `a line beside the battery makes it low, whatever its charge`() {
        #expect(judgements([reading(90), nil], isLineLow: true) == [true, true])
    }

    @Test func `a board powers off when two readings in a row say that the battery is empty`() {
        var watch = BatteryWatch(lowPercent: 10, stopPercent: 3)
        let found = [3, 4, 3, 2].map { (percent: UInt8) in
            _ = watch.judge(reading(percent), isLineLow: false)
            return watch.isExhausted
        }
        #expect(found == [false, false, false, true])
    }

    @Test func `a board without a limit never powers off`() {
        var watch = BatteryWatch(lowPercent: 10, stopPercent: 0)
        for _ in 0..<5 { _ = watch.judge(reading(0), isLineLow: false) }
        #expect(!watch.isExhausted)
    }

    @Test(
        arguments: [
            ("87 3912 discharging\n", 87, 3912, BatteryState.discharging), ("100", 100, nil, .unknown),
            ("- 3900", nil, 3900, .unknown), ("5 - charging", 5, nil, .charging),
            ("  7  4000   full  ", 7, 4000, .idle),
        ] as [(String, UInt8?, UInt16?, BatteryState)])
    func `a helper's line is a reading`(
        _ line: String, _ percent: UInt8?, _ millivolts: UInt16?, _ state: BatteryState
    ) {
        let reading = BatteryText.reading([UInt8](line.utf8).span)
        #expect(
            reading
                == BatteryReading(percent: percent, millivolts: millivolts, state: state, isLow: false))
    }

    @Test(arguments: [
        "", "\n", "101", "-1", "87%", "87 70000", "87 3912 tired", "87 3912 full more", "1234567890",
    ])
    func `any other line is none`(_ line: String) {
        #expect(BatteryText.reading([UInt8](line.utf8).span) == nil)
    }

    @Test func `no bytes of a helper or of a file trap`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2_000 {
            let bytes = generator.bytes(Int.random(in: 0...40, using: &generator))
            _ = BatteryText.reading(bytes.span)
            _ = BatteryText.decimal(bytes.span)
            _ = BatteryText.state(bytes.span)
        }
    }
}
