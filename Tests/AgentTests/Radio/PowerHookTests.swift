import Testing

/// Tests a failing power hook: the agent retries it, and continues with the other rungs of recovery.
@Suite struct PowerHookTests {
    /// Silences the scan for `milliseconds`, then ends the cause. Reopening the transport cures the fault,
    /// and the
    /// agent has a minute for that.
    private func beDeaf(_ scene: inout Scene, milliseconds: UInt64) {
        scene.controller.faults.begin(.silence, cure: .reopen)
        scene.run(milliseconds: milliseconds)
        scene.controller.faults.endAll()
        scene.run(milliseconds: 60_000)
    }

    @Test func `the agent repeats the power-on request until power is back`() throws {
        var scene = try crowdedScene()
        scene.world.isPowerSwitchable = true
        scene.world.store.vainPowerOns = 2
        scene.controller.faults.begin(.silence, cure: .powerCycle)
        scene.controller.faults.endAll()
        scene.run(milliseconds: 90_000)
        let history = scene.world.radioHistory
        let off = try #require(history.firstIndex(of: "off"))
        #expect(history[off...].prefix(5) == ["off", "on", "on", "on", "open"])
        #expect(!scene.controller.faults.isAny)
        #expect(scene.world.hasNotice(.radio(.powerNotRestored)))
    }

    @Test func `a board with a broken power hook keeps trying the other rungs`() throws {
        var scene = try crowdedScene()
        scene.world.isPowerSwitchable = true
        scene.world.store.isPowerHookBroken = true
        beDeaf(&scene, milliseconds: 200_000)
        #expect(!scene.controller.faults.isAny)
    }

    @Test func `a power hook that was missing at one fault is tried at the next`() throws {
        var scene = try crowdedScene()
        beDeaf(&scene, milliseconds: 60_000)
        #expect(!scene.controller.faults.isAny)
        #expect(!scene.world.radioHistory.contains("off"))

        scene.world.isPowerSwitchable = true
        scene.controller.faults.begin(.silence, cure: .powerCycle)
        scene.controller.faults.endAll()
        scene.run(milliseconds: 90_000)
        #expect(scene.world.radioHistory.contains("off"))
        #expect(!scene.controller.faults.isAny)
    }

    @Test
    func `an adapter that vanishes during a power cycle is not an empty room, and recovers on its return`()
        throws
    {
        var scene = try crowdedScene("radio.give_up_minutes=0")
        scene.world.isPowerSwitchable = true
        scene.controller.faults.begin(.silence, cure: .powerCycle)
        scene.run { $0.radioHistory.last == "off" }
        scene.controller.faults.begin(.vanishedAdapter)
        scene.run(milliseconds: 1_200_000)
        #expect(scene.radioStatus.state == .recovering && scene.radioStatus.lastFault == .transport)
        #expect(!scene.world.hasNotice(.radio(.emptyRoomAssumed)))

        scene.controller.faults.end(.vanishedAdapter)
        scene.controller.faults.endAll()
        scene.run(milliseconds: 60_000)
        #expect(!scene.controller.faults.isAny && scene.controller.isScanning)
    }

    @Test func `an adapter that was away can be power-cycled again on its return`() throws {
        var scene = try crowdedScene()
        scene.controller.faults.begin(.silence, cure: .powerCycle)
        scene.controller.faults.endAll()
        scene.run(milliseconds: 35_000)
        // During recovery the adapter vanishes, and its power hook with it.
        scene.controller.faults.begin(.vanishedAdapter)
        scene.run(milliseconds: 40_000)
        #expect(scene.controller.faults.has(.silence))
        scene.world.isPowerSwitchable = true
        scene.controller.faults.end(.vanishedAdapter)
        scene.run(milliseconds: 120_000)
        #expect(scene.world.radioHistory.contains("off"))
        #expect(!scene.controller.faults.isAny)
    }
}
