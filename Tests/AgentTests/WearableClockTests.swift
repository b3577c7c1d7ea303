import Agent
import Configuration
import DeviceSync
import EncounterLog
import FixedMemory
import Foundation
import HCI
import Simulator
import TestSupport
import Testing

/// Tests the identities of a wearable when its clock is set, steps or is lost.
@Suite struct WearableClockTests {
    // MARK: Time

    @Test func `T5: a wearable without the time scans, and advertises only once its clock is set`() throws {
        var scene = try Scene("agent.role=wearable")
        let phone = try ScriptedPhone(1, payload: [0x10, 9, 8, 7])
        scene.phones = [phone]
        scene.run(milliseconds: 20_000)
        #expect(scene.controller.isScanning && !scene.controller.isAdvertising)
        #expect(!scene.controller.commands.contains(.leSetAdvertisingEnable))
        #expect(scene.world.hasNotice(.identityStandingChanged(.timeUnknown)))
        #expect(try scene.boardStatus().identityState == .timeUnknown)
        let time = WallClockTime(days: 20_454 + 10) + 88 * .minutes(6) + .seconds(5)
        let request = try SyncRequest.setClock(time, errorMilliseconds: 40, sequence: 3)
        _ = try scene.ask(request)
        scene.run(milliseconds: 2_000)
        #expect(scene.world.hasNotice(.identityStandingChanged(.present)))
        #expect(try scene.boardStatus().identityState == .present)
        let reading = try scene.readOnce(by: 2)
        #expect(reading?.payload == "103a030000" + "1a62affe1c74e52a2cb4c61d18d00d06")
        scene.stop()
        #expect(
            scene.world.medium.entries.compactMap(\.identified).map(\.identityBytes) == [[0x10, 9, 8, 7]])
    }

    @Test func `T4, T5: advertising ends with the last key; the board never serves a zero identifier`() throws
    {
        var scene = try Scene.worn(day: 2_000, period: 239, second: 340)
        // A board that stores keys would make new ones.
        scene.world.store.keepsSecrets = false
        scene.run(milliseconds: 10_000)
        #expect(
            try scene.readOnce(by: 1)?.payload == "103a030000" + "b9eec54cd6b0655dedbeb5d0d778b161")
        let phone = try ScriptedPhone(2)
        phone.readsUs = false
        scene.world.connect(phone)
        scene.run(milliseconds: 15_000)
        #expect(scene.controller.isScanning && !scene.controller.isAdvertising)
        #expect(scene.world.hasNotice(.identityStandingChanged(.keyMissing)))
        #expect(try scene.boardStatus().identityState == .keyMissing)
        scene.run(milliseconds: 10_000)
        #expect(!phone.isConnected)
        scene.stop()
        let own = scene.world.medium.entries.compactMap(\.ownIdentity)
        #expect(own.map { $0.identity.count } == [21, 0])
    }

    @Test func `HP-D06: setting the clock back a little changes nothing, far back changes both`() throws {
        var scene = try Scene.worn(day: 3, period: 7, second: 5)
        scene.run(milliseconds: 2_000)
        let first = try #require(try scene.readOnce(by: 1))
        scene.world.stepWallClock(bySeconds: -60)
        scene.run(milliseconds: 3_000)
        #expect(try scene.readOnce(by: 2) == first)
        scene.world.stepWallClock(bySeconds: -3_600)
        scene.run(milliseconds: 3_000)
        let second = try #require(try scene.readOnce(by: 3))
        #expect(second.payload == Identifiers.payload(day: 2, period: 236))
        #expect(second.address != first.address)
        scene.world.stepWallClock(bySeconds: 3_660)
        scene.run(milliseconds: 3_000)
        let third = try #require(try scene.readOnce(by: 4))
        #expect(third.payload == first.payload)
        #expect(Set([first, second, third].map(\.address)).count == 3)
        #expect(scene.world.violations.isEmpty)
    }

    @Test func `T5: a synced time overrides an unsynchronised clock, a disciplined clock both`() throws {
        var scene = try Scene.worn(day: 3, period: 7)
        scene.world.wallErrorMilliseconds = .max
        scene.run(milliseconds: 2_000)
        #expect(try scene.readOnce(by: 1)?.payload == Identifiers.payload(day: 3, period: 7))
        let time = WallClockTime(days: 20_454 + 10) + 88 * .minutes(6)
        _ = try scene.ask(SyncRequest.setClock(time, errorMilliseconds: 40, sequence: 3))
        scene.run(milliseconds: 2_000)
        #expect(try scene.readOnce(by: 2)?.payload == Identifiers.payload(day: 10, period: 88))
        scene.world.wallErrorMilliseconds = 25
        scene.run(milliseconds: 2_000)
        #expect(try scene.readOnce(by: 3)?.payload == Identifiers.payload(day: 3, period: 7))
    }

    @Test func `HP-D06: after the wall clock is lost, identities rotate by monotonic time`() throws {
        var scene = try Scene.worn(day: 3, period: 7)
        scene.run(milliseconds: 2_000)
        scene.world.wallOffset = nil
        scene.run(milliseconds: 362_000)
        #expect(try scene.readOnce(by: 1)?.payload == Identifiers.payload(day: 3, period: 8))
    }

    @Test func `a wearable without an identity changes its address too`() throws {
        var scene = try Scene("agent.role=wearable")
        scene.run(milliseconds: 2_000)
        let address = scene.controller.randomAddress
        scene.run(milliseconds: 362_000)
        #expect(scene.controller.randomAddress != address)
        #expect(scene.controller.isScanning && !scene.controller.isAdvertising)
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.ownIdentity).isEmpty)
    }
}
