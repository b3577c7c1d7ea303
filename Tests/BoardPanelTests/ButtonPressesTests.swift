import FixedMemory
import Testing

@testable import BoardPanel

/// Tests how presses are told from holds.
@Suite struct ButtonPressesTests {
    private var presses = ButtonPresses()

    @Test mutating func `a short press counts when the button comes up`() {
        let down = presses.change(isDown: true, now: 1_000)
        let up = presses.change(isDown: false, now: 1_200)
        #expect(down == nil && up == .short)
    }

    @Test mutating func `a hold counts once, while the button is still down`() {
        _ = presses.change(isDown: true, now: 1_000)
        #expect(presses.deadline == 4_000)
        let early = presses.takeHold(now: 3_999)
        let due = presses.takeHold(now: 4_000)
        let again = presses.takeHold(now: 5_000)
        let up = presses.change(isDown: false, now: 6_000)
        #expect(!early && due && !again && up == nil)
    }

    @Test mutating func `a hold that nobody looked for counts when the button comes up`() {
        _ = presses.change(isDown: true, now: 1_000)
        let up = presses.change(isDown: false, now: 4_500)
        #expect(up == .held)
    }

    @Test mutating func `a second button meanwhile is part of the press`() {
        _ = presses.change(isDown: true, now: 1_000)
        let second = presses.change(isDown: true, now: 1_100)
        let up = presses.change(isDown: false, now: 1_200)
        let secondUp = presses.change(isDown: false, now: 1_300)
        #expect(second == nil && up == .short && secondUp == nil)
    }

    @Test func `a button that is up has no deadline`() {
        #expect(presses.deadline == .distantFuture)
    }
}
