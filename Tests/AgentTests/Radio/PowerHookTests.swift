import Testing

/// Tests a failing power hook: the agent retries it, and continues with the other rungs of recovery.
@Suite struct PowerHookTests {
    /// Silences the scan for `milliseconds`, then ends the cause. Reopening the transport cures the fault,
    /// and the
    /// agent has a minute for that.
    private func beDeaf(_ scene: inout Scene, milliseconds: UInt64) {
        scene.controller.cure = .reopen
        scene.controller.fault = .silence
        scene.run(milliseconds: milliseconds, tick: 50)
        scene.controller.hasCause = false
        scene.run(milliseconds: 60_000, tick: 50)
    }

    @Test func `the agent repeats the power-on request until power is back`() throws {
        var scene = try crowdedScene()
        scene.world.hasPowerHook = true
        scene.world.vainPowerOns = 2
        scene.controller.cure = .powerCycle
        scene.controller.fault = .silence
        scene.controller.hasCause = false
        scene.run(milliseconds: 90_000, tick: 50)
        let history = scene.world.radioHistory
        let off = try #require(history.firstIndex(of: "off"))
        #expect(history[off...].prefix(5) == ["off", "on", "on", "on", "open"])
        #expect(scene.controller.fault == nil)
        #expect(scene.world.hasNotice(.radio(.powerNotRestored)))
    }

    @Test func `a board with a broken power hook keeps trying the other rungs`() throws {
        var scene = try crowdedScene()
        scene.world.hasPowerHook = true
        scene.world.vainPowerOns = .max
        beDeaf(&scene, milliseconds: 200_000)
        #expect(scene.controller.fault == nil)
    }

    @Test func `a power hook that was missing at one fault is tried at the next`() throws {
        var scene = try crowdedScene()
        beDeaf(&scene, milliseconds: 60_000)
        #expect(scene.controller.fault == nil)
        #expect(!scene.world.radioHistory.contains("off"))

        scene.world.hasPowerHook = true
        scene.controller.cure = .powerCycle
        scene.controller.fault = .silence
        scene.run(milliseconds: 90_000, tick: 50)
        #expect(scene.world.radioHistory.contains("off"))
        #expect(scene.controller.fault == nil)
    }

    @Test
    func `an adapter that vanishes during a power cycle is not an empty room, and recovers on its return`()
        throws
    {
        var scene = try crowdedScene("radio.give_up_minutes=0")
        scene.world.hasPowerHook = true
        scene.controller.cure = .powerCycle
        scene.controller.fault = .silence
        scene.run { $0.radioHistory.last == "off" }
        scene.controller.isTransportBroken = true
        scene.run(milliseconds: 1_200_000, tick: 250)
        #expect(scene.radioStatus.state == .recovering && scene.radioStatus.lastFault == .transport)
        #expect(!scene.world.hasNotice(.radio(.emptyRoomAssumed)))

        scene.controller.isTransportBroken = false
        scene.controller.hasCause = false
        scene.run(milliseconds: 60_000, tick: 50)
        #expect(scene.controller.fault == nil && scene.controller.isScanning)
    }

    @Test func `an adapter that was away can be power-cycled again on its return`() throws {
        var scene = try crowdedScene()
        scene.controller.cure = .powerCycle
        scene.controller.fault = .silence
        scene.controller.hasCause = false
        scene.run(milliseconds: 35_000, tick: 50)
        // During recovery the adapter vanishes, and its power hook with it.
        scene.controller.isTransportBroken = true
        scene.run(milliseconds: 40_000, tick: 50)
        #expect(scene.controller.fault == .silence)
        scene.world.hasPowerHook = true
        scene.controller.isTransportBroken = false
        scene.run(milliseconds: 120_000, tick: 50)
        #expect(scene.world.radioHistory.contains("off"))
        #expect(scene.controller.fault == nil)
    }
}
