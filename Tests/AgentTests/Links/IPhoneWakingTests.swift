import EncounterLog
import FixedMemory
import GATT
import HCI
import Protocols
import TestSupport
import Testing

/// Tests the empty writes that wake iPhones.
@Suite struct IPhoneWakingTests {
    @Test func `a silent iPhone gets an empty write once a minute, if configured`() throws {
        let phone = try ScriptedPhone(1, signal: .nonCompliant)
        var scene = try Scene("herald.wake_iphones=true")
        scene.phones = [phone]
        scene.run(milliseconds: 310_000)
        #expect(phone.messages.map(\.code) == [.payload], "an empty write is not a message")
        let wakes = phone.writes.dropFirst()
        #expect((4...5).contains(wakes.count))
        #expect(wakes.allSatisfy { $0.isEmpty })
        #expect(phone.commands.isEmpty && scene.world.violations.isEmpty)
    }

    @Test func `the board wakes no iPhone unless configured, and never an Android phone`() throws {
        for (signal, isOn) in [(.nonCompliant, false), (.compliant, true), (.both, true)]
            as [(ScriptedPhone.Signal, Bool)]
        {
            let phone = try ScriptedPhone(1, signal: signal)
            var scene = try Scene("herald.wake_iphones=\(isOn)")
            scene.phones = [phone]
            scene.run(milliseconds: 200_000)
            #expect(phone.linkCount == 1)
            #expect(!phone.writes.contains([]))
        }
    }

    @Test func `an iPhone that gets or writes a message does not count as silent`() throws {
        let (receiver, writer) = (
            try ScriptedPhone(1, payload: [0x10, 1], signal: .nonCompliant),
            try ScriptedPhone(2, payload: [0x10, 2], signal: .nonCompliant)
        )
        var scene = try Scene("herald.wake_iphones=true")
        scene.phones = [receiver, writer]
        for number in 1...6 as ClosedRange<UInt32> {
            scene.run(milliseconds: 40_000)
            _ = try scene.send([1], to: receiver.asRecipient, number: number)
            let isConnected = scene.run { $0.connect(writer) }
            #expect(isConnected)
            scene.run(milliseconds: 1_500)
            try writer.write([UInt8](hex: "04 0200 6869"))
            scene.run(milliseconds: 500)
            writer.hangUp()
        }
        #expect(!receiver.writes.contains([]))
        #expect(!writer.writes.contains([]))
    }

    @Test func `a link made to wake an iPhone wakes it, even with no payload to share`() throws {
        // Each payload has a length of its own, so there is nothing to share.
        let phones = try (1...10 as ClosedRange<UInt64>).map {
            try ScriptedPhone(
                $0, payload: [UInt8](repeating: 0x10, count: Int($0) + 1), signal: .nonCompliant)
        }
        var scene = try Scene(options: ["herald.wake_iphones=true", "herald.share_payloads=true"])
        scene.phones = phones
        // The messages make links at varying times within the 15 s after which the board considers sharing.
        for round in 0..<10 as Range<UInt32> {
            scene.run(milliseconds: 73_300 + 1_700 * UInt64(round))
            _ = try scene.send([1], number: round + 1)
        }
        scene.run(milliseconds: 60_000)
        #expect(phones.allSatisfy { $0.writes.contains([]) })
        #expect(phones.allSatisfy { $0.linkCount == $0.writes.count })
    }
}
