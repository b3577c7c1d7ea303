import FixedMemory
import Testing

@testable import BoardPanel

/// How the light flashes.
@Suite struct LightTests {
    /// The times in milliseconds at which the light changes within a length of time, with what it changes to.
    private func changes(of pattern: LightPattern, during length: UInt64) -> [(at: UInt64, isOn: Bool)] {
        var (time, found, last) = (UInt64(0), [(at: UInt64, isOn: Bool)](), Bool?.none)
        while time < length {
            let (isOn, remaining) = pattern.light(after: .milliseconds(time))
            if isOn != last { found.append((time, isOn)) }
            last = isOn
            time += remaining.milliseconds
        }
        return found
    }

    private func flashCount(_ state: PanelState) -> Int {
        let pattern = LightPattern(of: state)
        return changes(of: pattern, during: pattern.length.milliseconds).count { $0.isOn }
    }

    @Test func `people can count the flashes of each state`() {
        #expect(flashCount(.working) == 1)
        #expect(flashCount(.clockUnknown) == 2)
        #expect(flashCount(.notSetUp) == 3)
        #expect(flashCount(.logLosing) == 4)
        #expect(flashCount(.radioDown) == 5)
        #expect(flashCount(.agentMissing) == 6)
    }

    @Test func `each state has a pattern of its own`() {
        let patterns = (0..<8 as Range<UInt8>).compactMap(PanelState.init).map(LightPattern.init)
        #expect(patterns.count == 8)
        for (index, pattern) in patterns.enumerated() {
            #expect(!patterns[..<index].contains(pattern))
        }
    }

    @Test func `a board that works wakes for its light twice in five seconds`() {
        #expect(changes(of: LightPattern(of: .working), during: 60_000).count <= 24)
    }

    @Test func `flashes have gaps, and the pause tells where they begin again`() {
        let found = changes(of: LightPattern(of: .clockUnknown), during: 3_200)
        #expect(found.map(\.at) == [0, 200, 500, 700, 3_000])
        #expect(found.map(\.isOn) == [true, false, true, false, true])
    }

    @Test func `an answer to a press is shown for two seconds, then the state from its beginning`() {
        var show = LightShow()
        show.show(.clockUnknown, now: 1_000)
        show.answer(isDone: false, now: 1_300)
        var light = show.light(now: 1_300)
        #expect(light.isOn && light.change == 3_300)
        show.show(.working, now: 2_000)
        light = show.light(now: 3_299)
        #expect(light.isOn)
        light = show.light(now: 3_300)
        #expect(light.isOn && light.change == 3_350)
    }

    @Test func `the light is dark until something is known`() {
        var show = LightShow()
        #expect(!show.light(now: 1_000).isOn)
        show.show(.working, now: 2_000)
        #expect(show.light(now: 2_000).isOn)
    }

    @Test func `a state that goes on keeps its rhythm`() {
        var show = LightShow()
        show.show(.working, now: 1_000)
        show.show(.working, now: 1_020)
        #expect(show.light(now: 1_040).change == 1_050)
    }
}
