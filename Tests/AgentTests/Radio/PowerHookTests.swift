import Testing

/// A power hook that fails: it is tried again, and what else may help goes on.
@Suite struct PowerHookTests {
    /// Nobody is heard for so long; then the cause is gone, and ownerKey it anew cures it, for which there is a minute.
    private func beDeaf(_ scene: inout Scene, milliseconds: UInt64) {
        scene.controller.cure = .reopen
        scene.controller.fault = .silence
        scene.run(milliseconds: milliseconds, tick: 50)
        scene.controller.hasCause = false
        scene.run(milliseconds: 60_000, tick: 50)
    }

    @Test func `power that does not come back at once is asked for again`() throws {
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
        #expect(scene.world.hasNotice(.radioPowerNotRestored))
    }

    @Test func `a board whose power hook is broken tries the other rungs for ever`() throws {
        var scene = try crowdedScene()
        scene.world.hasPowerHook = true
        scene.world.vainPowerOns = .max
        beDeaf(&scene, milliseconds: 200_000)
        #expect(scene.controller.fault == nil)
    }

    @Test func `a power hook that failed once is tried again when the radio fails another time`() throws {
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

    @Test func `an adapter that goes while its power is taken is no quiet room, and is back when it is`()
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
        #expect(!scene.world.hasNotice(.emptyRoomAssumed))

        scene.controller.isTransportBroken = false
        scene.controller.hasCause = false
        scene.run(milliseconds: 60_000, tick: 50)
        #expect(scene.controller.fault == nil && scene.controller.isScanning)
    }

    @Test func `an adapter that was away has its switch again when it is back`() throws {
        var scene = try crowdedScene()
        scene.controller.cure = .powerCycle
        scene.controller.fault = .silence
        scene.controller.hasCause = false
        scene.run(milliseconds: 35_000, tick: 50)
        // It goes, and its switch with it, while the ladder is climbed.
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
