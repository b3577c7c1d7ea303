import EncounterLog
import FixedMemory
import GATT
import HCI
import Protocols
import TestSupport
import Testing

/// Tests which payloads the board shares with phones.
@Suite struct PayloadSharingTests {
    @Test func `the board shares payloads with iPhones if configured`() throws {
        let receiver = try ScriptedPhone(1, payload: [0x10, 1, 1], signal: .nonCompliant)
        receiver.rssiDBm = -50
        let others = try (2..<5 as Range<UInt64>).map {
            try ScriptedPhone($0, payload: [0x10, UInt8($0), 7])
        }
        let venue = try ScriptedPhone(9, payload: [0x30, 1, 2, 3])
        let expired = try ScriptedPhone(
            10, payload: [0x10, 0, 0], signal: .nonCompliant)
        for isOn in [true, false] {
            var scene = try Scene("herald.share_payloads=\(isOn)")
            let before = receiver.messages.count
            scene.phones = [receiver, venue, expired] + others
            scene.run(milliseconds: 90_000)
            let shared = receiver.messages[before...].filter { $0.code == .payloadSharing }
            guard isOn else {
                #expect(shared.isEmpty)
                continue
            }
            let payloads = shared.flatMap(\.data)
            let told = stride(from: 0, to: payloads.count, by: 3).map { Array(payloads[$0..<$0 + 3]) }
            #expect(
                Set(told) == Set([[0x10, 2, 7], [0x10, 3, 7], [0x10, 4, 7], [0x10, 0, 0]]),
                "of its own length, its own left out")
            #expect(told.count == 4, "each once")
            #expect(shared.allSatisfy { $0.rssiDBm == -50 })
            #expect((1...4).contains(shared.count))
        }
    }

    @Test func `payload sharings are at least 15 seconds apart`() throws {
        let receiver = try ScriptedPhone(1, payload: [0x10, 1, 1], signal: .nonCompliant)
        var scene = try Scene("herald.share_payloads=true")
        scene.phones = [receiver, try ScriptedPhone(2, payload: [0x10, 2, 2])]
        scene.run { _ in receiver.messages.contains { $0.code == .payloadSharing } }
        let first = scene.world.now
        scene.phones.append(try ScriptedPhone(3, payload: [0x10, 3, 3]))
        scene.run { _ in receiver.messages.filter { $0.code == .payloadSharing }.count == 2 }
        #expect((15_000...25_000).contains(scene.world.now - first))
        #expect(receiver.messages.last?.data == [0x10, 3, 3])
    }
}
