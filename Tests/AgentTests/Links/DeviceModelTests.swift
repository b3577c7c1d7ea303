import EncounterLog
import FixedMemory
import GATT
import HCI
import Protocols
import TestSupport
import Testing

/// Tests the reading of a device's model.
@Suite struct DeviceModelTests {
    @Test func `HP-O06: one link reads a device's model, maker and payload, if configured`() throws {
        for isOn in [true, false] {
            let phone = try ScriptedPhone(1, model: "Pixel 9", maker: "Google")
            var scene = try Scene("herald.ask_model=\(isOn)")
            scene.phones = [phone]
            scene.run(milliseconds: 60_000)
            #expect(phone.linkCount == 1)
            scene.stop()
            let entries = scene.world.medium.entries
            let details = entries.compactMap(\.peerDetails)
            #expect(details.map(\.detail) == (isOn ? [.model, .manufacturer] : []))
            #expect(
                details.map { String(decoding: $0.value.span.array, as: UTF8.self) }
                    == (isOn ? ["Pixel 9", "Google"] : []))
            #expect(details.allSatisfy { $0.encounter == entries.compactMap(\.opened).first?.encounter })
            let reads = phone.requests.filter { $0.first == 0x0a }.count
            #expect(reads == (isOn ? 3 : 1))
        }
    }

    @Test func `HP-O06: a device without a model, or with a very long one, does no harm`() throws {
        let silent = try ScriptedPhone(1)
        let wordy = try ScriptedPhone(2, model: String(repeating: "m", count: 100))
        var scene = try Scene("herald.ask_model=true")
        scene.phones = [silent, wordy]
        scene.run(milliseconds: 60_000)
        #expect(silent.linkCount == 1 && wordy.linkCount == 1)
        scene.stop()
        let details = scene.world.medium.entries.compactMap(\.peerDetails)
        #expect(details.map { $0.value.count } == [64])
        #expect(scene.world.medium.entries.compactMap(\.identified).count == 2)
    }

    @Test func `HP-C23: a link reads the payload, writes the own one, reads the model, and closes`() throws {
        let phone = try ScriptedPhone(1, signal: .nonCompliant, model: "iPhone", maker: "Apple")
        var scene = try Scene("herald.ask_model=true")
        scene.phones = [phone]
        scene.run { _ in phone.linkCount == 1 }
        scene.run { _ in !phone.isConnected }
        let opcodes = phone.requests.compactMap(\.first).filter { [0x0a, 0x12].contains($0) }
        #expect(opcodes == [0x0a, 0x12, 0x0a, 0x0a])
        scene.run(milliseconds: 60_000)
        #expect(phone.linkCount == 1)
    }
}
