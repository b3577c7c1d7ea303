import FixedMemory
import HCI
import TestSupport
import Testing

@testable import Simulator

/// A controller that refuses to connect, or that still connects for an attempt that it seemed to have ended.
@Suite struct ConnectingRoleTests {
    /// A failed Connection Complete of which no field but the status says anything.
    private static let failedConnection = [UInt8](hex: "01 3e") + [UInt8](repeating: 0, count: 17)

    private func makePhones(_ count: UInt64) throws -> [ScriptedPhone] {
        try (1...count).map { try ScriptedPhone($0) }
    }

    @Test func `refusals of several peers lead to a reset, after which the phones are read`() throws {
        var scene = try Scene()
        let phones = try makePhones(4)
        scene.phones = phones
        scene.run(milliseconds: 50)
        scene.script.set(.refuse(.commandDisallowed), to: .leCreateConnection)
        let script = scene.script
        script.afterCommand = { opCode, _ in if opCode == .reset { script.end(.leCreateConnection) } }
        scene.run(milliseconds: 60_000)
        #expect(scene.world.faults.contains(.refusedRole(.leCreateConnection, .commandDisallowed)))
        #expect(scene.radioStatus.rungs.reset == 1 && scene.radioStatus.rungs.total == 1)
        #expect(phones.map(\.linkCount) == [1, 1, 1, 1])
    }

    @Test func `refusals of a single peer are no fault`() throws {
        var scene = try Scene()
        scene.phones = try makePhones(1)
        scene.script.set(.refuse(.commandDisallowed), to: .leCreateConnection)
        scene.run(milliseconds: 600_000)
        #expect(scene.radioStatus.rungs.total == 0)
    }

    @Test func `a controller that never connects is reset ever more rarely, and covers the room meanwhile`()
        throws
    {
        var scene = try Scene()
        scene.phones = try makePhones(4)
        scene.script.set(.refuse(.commandDisallowed), to: .leCreateConnection)
        scene.run(milliseconds: 3_600_000)
        let rungs = scene.radioStatus.rungs
        #expect((2...5).contains(rungs.reset) && rungs.total == UInt64(rungs.reset))
        let end = scene.world.now
        scene.stop()
        let covered = scene.world.medium.entries.compactMap(\.coverage)
            .reduce(0) { $0 + $1.end.milliseconds - $1.start.milliseconds }
        #expect(Double(covered) > 0.99 * Double(end.milliseconds))
    }

    @Test func `an attempt that seemed to have ended is cancelled when the next one is refused`() throws {
        var scene = try Scene()
        let (first, second) = (try ScriptedPhone(1), try ScriptedPhone(2))
        first.accepts = false
        scene.phones = [first]
        scene.run { $0.controller.connectingTo != nil }
        scene.controller.injectEvent(0x3e, Self.failedConnection)
        scene.phones = [first, second]
        scene.run(milliseconds: 20_000)
        #expect(second.linkCount == 1)
        #expect(scene.radioStatus.rungs.total == 0)
    }

    @Test func `an attempt of which the controller knows nothing ends soon after the cancellation`() throws {
        var scene = try Scene()
        let phone = try ScriptedPhone(1)
        phone.accepts = false
        scene.phones = [phone]
        scene.script.set(.refuse(.commandDisallowed), to: .leCreateConnectionCancel)
        scene.run { $0.controller.commands.contains(.leCreateConnectionCancel) }
        scene.controller.settings.attempt = nil
        scene.run(milliseconds: 1_500)
        #expect(scene.controller.isScanning)
        #expect(scene.radioStatus.rungs.total == 0)
    }

    @Test func `advertising is started again when an incoming connection fails`() throws {
        var scene = try Scene()
        scene.run(milliseconds: 5_000)
        scene.controller.settings.isAdvertising = false
        scene.controller.injectEvent(0x3e, Self.failedConnection)
        scene.run(milliseconds: 100)
        #expect(scene.controller.isAdvertising && scene.controller.isScanning)
    }
}
