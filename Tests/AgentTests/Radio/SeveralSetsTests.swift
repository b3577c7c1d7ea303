import Cryptography
import FixedMemory
import HCI
import Protocols
import Schemes
import Simulator
import TestSupport
import Testing

@testable import Agent
@testable import Radio

/// Tests a controller with an advertising set for each scheme, so that no scheme is time-multiplexed.
@Suite struct SeveralSetsTests {
    private static let all = [
        "radio.extended_commands=true", "schemes.sonar=on", "schemes.ble_proximity=on",
        "schemes.exposure_notification=on",
    ]

    private static func scene(_ options: [String] = all, setLimit: Int = 4) throws -> Scene {
        let world = BoardWorld()
        // Half a minute later every scheme gets a new identity.
        world.wallOffset = 1_772_362_770_000 &- world.now.milliseconds
        let resolver = try SonarResolver(scalar: Bytes<32>(repeating: 5), entropy: .system)
        world.sonarRegistration = SonarRegistration(
            installation: Bytes(repeating: 3), secret: Bytes(repeating: 9), authorityKey: resolver.publicKey)
        world.controller.profile.hasExtendedCommands = true
        Self.offerSets(setLimit, world.script)
        return try Scene(options: options, in: world)
    }

    /// The simulated controller has one advertising set. The others get only answers, and ``SetsOfCommands``
    /// derives their effect.
    private static func offerSets(_ limit: Int, _ script: ScriptedBehaviour) {
        func isOther(_ handle: UInt8) -> Bool { handle > 0 }
        var sets: Set<UInt8> = [0]
        script.set(.succeed(), to: .leSetExtendedAdvertisingParameters) {
            guard isOther($0[0]), sets.contains($0[0]) || sets.count < limit else { return false }
            sets.insert($0[0])
            return true
        }
        for opCode in [OpCode.leSetAdvertisingSetRandomAddress, .leSetExtendedAdvertisingData] {
            script.set(.succeed(), to: opCode) { isOther($0[0]) }
        }
        script.set(.succeed(), to: .leSetExtendedAdvertisingEnable) { isOther($0[2]) }
    }

    private static func sets(of controller: SimulatedController) -> SetsOfCommands {
        var sets = SetsOfCommands()
        for (opCode, parameters) in zip(controller.commands, controller.parameters) {
            sets.record(opCode, parameters)
        }
        return sets
    }

    @Test func `Each scheme advertises in its own set, without time multiplexing`() throws {
        var scene = try Self.scene()
        scene.run(milliseconds: 20_000)
        let sets = Self.sets(of: scene.controller)
        #expect(sets.on == [0, 1, 2, 3])
        #expect(sets.dataCounts == [0: 1, 1: 1, 2: 1, 3: 1])
        #expect(sets.addresses[0] == sets.addresses[2] && sets.addresses[0] == sets.addresses[3])
        #expect(sets.addresses[0] != sets.addresses[1])
        #expect(sets.violations.isEmpty)
    }

    @Test func `A wearable is never seen under two addresses at once`() throws {
        var scene = try Self.scene(Self.all + ["agent.role=wearable", "schemes.sonar_period_minutes=6"])
        scene.run(milliseconds: 20_000)
        let before = Self.sets(of: scene.controller)
        scene.run(milliseconds: 40_000)
        let after = Self.sets(of: scene.controller)
        #expect(before.on == [0, 1, 2, 3] && after.on == before.on)
        for set in [0, 2, 3] as [UInt8] { #expect(after.addresses[set] != before.addresses[set]) }
        #expect(after.violations.isEmpty)
    }

    @Test func `A scheme without a set is time-multiplexed with Herald`() throws {
        var scene = try Self.scene(setLimit: 3)
        scene.run(milliseconds: 20_000)
        let sets = Self.sets(of: scene.controller)
        #expect(sets.on.isSuperset(of: [0, 1]) && sets.on.count == 3)
        let data = try #require(sets.dataCounts[0])
        #expect((8...16).contains(data), "a turn lasts a second and a half")
        #expect(sets.violations.isEmpty)
    }

    @Test func `All sets advertise again after an incoming connection has ended one`() throws {
        var scene = try Self.scene()
        scene.run(milliseconds: 20_000)
        let phone = try ScriptedPhone(1)
        phone.readsUs = false
        scene.world.forceConnect(from: phone)
        scene.run(milliseconds: 2_000)
        #expect(phone.isConnected)
        let sets = Self.sets(of: scene.controller)
        #expect(sets.on == [0, 1, 2, 3])
        #expect(sets.violations.isEmpty)
    }
}
