import Agent
import FixedMemory
import TestSupport
import Testing

@testable import Simulator

/// Among many reports without content, the few that have some are evidence of a working scan only if nothing
/// on the line is damaged.
@Suite struct ContentDoubtTests {
    /// Lets reports without content come for 40 s, 200 a second, and `goodPerSecond` with content among them.
    /// - Parameter isGarbled: Whether a malformed event comes every two seconds, as on a bad line.
    /// - Returns: how much of the time from the third second on is covered.
    private func covered(isGarbled: Bool, goodPerSecond: Int) throws -> Interval {
        var scene = try Scene()
        let empty = try ScriptedPhone(1, advert: [])
        let good = try ScriptedPhone(2, advert: [2, 1, 6])
        scene.run(milliseconds: 30_000)
        let start = scene.world.now + Interval.seconds(3)
        for tenth in 0..<400 {
            for _ in 0..<20 { scene.controller.report(empty) }
            if tenth % 10 < goodPerSecond { scene.controller.report(good) }
            if isGarbled, tenth.isMultiple(of: 20) { scene.controller.inject([4, 0x3e, 2, 1, 0]) }
            scene.run(milliseconds: 100)
        }
        let end = scene.world.now
        scene.stop()
        let covered = CoverageLog(of: scene.world.board).stretches
        return covered.intersection(TimeRanges([start..<end])).length
    }

    @Test func `damaged reports do not confirm the scan of a controller whose reports have no content`()
        throws
    {
        #expect(try covered(isGarbled: true, goodPerSecond: 1) == .zero)
    }

    @Test func `on a good line the few reports with content confirm the scan`() throws {
        #expect(try covered(isGarbled: false, goodPerSecond: 1) > .seconds(35))
    }
}
