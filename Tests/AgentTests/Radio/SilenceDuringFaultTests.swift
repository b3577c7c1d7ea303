import Agent
import FixedMemory
import TestSupport
import Testing

@testable import Simulator

/// Some faults leave the RSSI readings usable, so the agent still trusts reports. During such a fault it must
/// not trust a scan that hears nobody.
@Suite struct SilenceDuringFaultTests {
    /// Lets the stream be garbled for 130 s, in which two phones are heard, fall silent for a time, and are
    /// heard again.
    /// - Returns: how much of the silence is covered.
    private func covered(ofSilence tenths: Int) throws -> Interval {
        var scene = try Scene()
        let phones = [try ScriptedPhone(1, advert: [2, 1, 6]), try ScriptedPhone(2, advert: [2, 1, 6])]
        let silence = 600..<600 + tenths
        var (start, end) = (scene.world.now, scene.world.now)
        for tenth in 0..<1_300 {
            // No event has this code.
            if tenth.isMultiple(of: 5) {
                scene.controller.inject([0x04, 0xee] + [UInt8](repeating: 0xff, count: 78))
            }
            if tenth == silence.lowerBound { start = scene.world.now }
            if tenth == silence.upperBound { end = scene.world.now }
            if !silence.contains(tenth) { for phone in phones { scene.controller.report(phone) } }
            scene.run(milliseconds: 100)
        }
        #expect(scene.radioStatus.lastFault == .garbledStream)
        scene.stop()
        let covered = CoverageLog(of: scene.world.board).stretches
        return covered.intersection(TimeRanges([start..<end])).length
    }

    @Test func `a long silence during a garbled stream is not covered`() throws {
        #expect(try covered(ofSilence: 300) < .seconds(1))
    }

    @Test func `a short silence during a garbled stream is covered`() throws {
        #expect(try covered(ofSilence: 50) > .seconds(4))
    }
}
