import FixedMemory
import TestSupport
import Testing

@testable import Simulator

/// A silence of many peers that ends by itself: too short for a departure, too long for chance.
@Suite struct CoverageGapTests {
    /// - Parameter sharesRoles: whether the controller scans while it advertises and connects. If not, the
    ///   scan is started again every few seconds.
    /// - Returns: how much of a silence of that length is covered.
    private func covered(ofSilence silence: Interval, sharesRoles: Bool) throws -> Interval {
        var scene = try Scene()
        scene.controller.profile.sharesRoles = sharesRoles
        scene.phones = try (0..<6 as Range<UInt64>).map { try ScriptedPhone($0, advert: [2, 1, 6]) }
        scene.run(milliseconds: 60_000)
        let start = scene.world.now
        for phone in scene.phones { phone.isAway = true }
        scene.run(milliseconds: silence.milliseconds)
        for phone in scene.phones { phone.isAway = false }
        let end = scene.world.now
        scene.run(milliseconds: 30_000)
        scene.stop()
        return CoverageLog(of: scene.world.board).stretches
            .intersection(TimeRanges([start..<end])).length
    }

    @Test(arguments: [true, false])
    func `many peers that are silent for twelve seconds leave a coverage gap`(sharesRoles: Bool) throws {
        #expect(try covered(ofSilence: .seconds(12), sharesRoles: sharesRoles) < .seconds(2))
    }

    @Test(arguments: [true, false])
    func `many peers that are silent for three seconds leave none`(sharesRoles: Bool) throws {
        #expect(try covered(ofSilence: .seconds(3), sharesRoles: sharesRoles) > .milliseconds(2_800))
    }
}
