import EncounterLog
import FixedMemory
import GATT
import HCI
import Protocols
import TestSupport
import Testing

/// Tests what boards write to phones.
@Suite struct WriteBackTests {
    private let ownPayload = [UInt8](hex: "303a03000040e20100")

    private func codes(_ phone: ScriptedPhone) -> [HeraldSignalCode] { phone.messages.map(\.code) }

    // MARK: Without advertising

    @Test(arguments: [ScriptedPhone.Signal.compliant, .nonCompliant, .both])
    func `HP-C06: a board that does not advertise writes each phone its payload once, and then RSSI readings`(
        _ signal: ScriptedPhone.Signal
    ) throws {
        let phone = try ScriptedPhone(1, signal: signal)
        phone.rssiDBm = -56
        var scene = try Scene("radio.advertise=false")
        scene.phones = [phone]
        scene.run { _ in phone.messages.count == 2 }
        #expect(
            phone.messages == [
                .init(code: .payload, data: ownPayload), .init(code: .rssi, rssiDBm: -56),
            ])
        #expect(phone.linkCount == 1, "in the link that reads the phone's payload")
        let read = try #require(phone.requests.firstIndex { $0.first == 0x0a })
        let write = try #require(phone.requests.firstIndex { $0.first == 0x12 })
        #expect(read < write)
        phone.rssiDBm = -70
        scene.run(milliseconds: 70_000)
        let readings = phone.messages.dropFirst(2)
        #expect(readings.allSatisfy { $0 == .init(code: .rssi, rssiDBm: -70) })
        #expect((4...5).contains(readings.count), "every 15 s at most")
        #expect(!scene.controller.commands.contains(.leSetAdvertisingEnable))
        #expect(phone.commands.isEmpty && scene.world.violations.isEmpty)
        #expect(phone.requests.filter { $0.first == 0x0a }.count == 1, "its payload is read once")
    }

    @Test func `HP-C06: the interval between RSSI writes can be configured`() throws {
        let phone = try ScriptedPhone(1)
        var scene = try Scene("radio.advertise=false", "herald.write_back_seconds=60")
        scene.phones = [phone]
        scene.run(milliseconds: 130_000)
        #expect(codes(phone).filter { $0 == .rssi }.count == 3)
    }

    @Test(arguments: [Status.unknownCommand, .unsupportedFeature])
    func `HP-C06: a board whose controller cannot advertise detects that and writes instead`(_ status: Status)
        throws
    {
        let phone = try ScriptedPhone(1)
        var scene = try Scene()
        for command in [OpCode.leSetAdvertisingParameters, .leSetAdvertisingEnable] {
            scene.script.set(.refuse(status), to: command)
        }
        scene.phones = [phone]
        scene.run { _ in phone.messages.count == 2 }
        #expect(codes(phone) == [.payload, .rssi])
        scene.run(milliseconds: 120_000)
        #expect(scene.controller.isScanning)
        #expect(scene.world.notices.contains { $0.radioUp?.restrictions == .cannotAdvertise })
        #expect(!scene.world.hasSuspectedFault, "nothing is wrong with it")
        #expect(scene.controller.commands.filter { $0 == .reset }.count == 1)
        #expect(scene.controller.commands.filter { $0 == .leSetAdvertisingParameters }.count <= 1)
    }

    @Test func `HP-C06: a failed write is tried again, with growing pauses`() throws {
        let phone = try ScriptedPhone(1)
        phone.refusesWrites = true
        var scene = try Scene("radio.advertise=false")
        scene.phones = [phone]
        scene.run(milliseconds: 300_000)
        #expect((3...6).contains(phone.writes.count))
        phone.refusesWrites = false
        scene.run(milliseconds: 400_000)
        #expect(codes(phone).prefix(2) == [.payload, .rssi])
    }

    @Test func `HP-C06, X4: a long payload goes to an Android phone in fragments of 20 bytes`() throws {
        let phone = try ScriptedPhone(1)
        var scene = try Scene(
            "radio.advertise=false", "herald.name=" + String(repeating: "n", count: 100))
        scene.phones = [phone]
        scene.run { _ in phone.messages.count == 2 }
        #expect(phone.messages.first?.data.count == 9 + 102)
        #expect(phone.writes.map(\.count) == [20, 20, 20, 20, 20, 14, 3])
    }

    @Test func `a payload too long for one write to an iPhone is not written`() throws {
        let phone = try ScriptedPhone(1, signal: .nonCompliant)
        var scene = try Scene(
            "radio.advertise=false", "herald.name=" + String(repeating: "n", count: 250),
            "herald.area=" + String(repeating: "a", count: 247))
        scene.phones = [phone]
        scene.run(milliseconds: 40_000)
        #expect(codes(phone) == [.rssi, .rssi, .rssi])
    }

    @Test func `writes to a crowd keep within their budget and leave time to scan`() throws {
        let phones = try (0..<40 as Range<UInt64>).map { try ScriptedPhone($0) }
        var scene = try Scene("radio.advertise=false")
        scene.phones = phones
        scene.run(milliseconds: 120_000)
        let before = scene.controller.commands.filter { $0 == .leCreateConnection }.count
        var scanned = 0
        for _ in 0..<600 {
            scene.run(milliseconds: 100)
            if scene.controller.isScanning { scanned += 1 }
        }
        let attempts = scene.controller.commands.filter { $0 == .leCreateConnection }.count - before
        #expect((60...240).contains(attempts), "one after the other, and not more than four a second")
        #expect(scanned > 480)
        #expect(phones.allSatisfy { $0.messages.count >= 4 })
    }

    @Test func `phones that stop answering leave time to scan`() throws {
        let phones = try (0..<40 as Range<UInt64>).map { try ScriptedPhone($0) }
        var scene = try Scene("radio.advertise=false")
        scene.phones = phones
        scene.run(milliseconds: 60_000)
        for phone in phones { phone.accepts = false }
        var scanned = 0
        for _ in 0..<600 {
            scene.run(milliseconds: 100)
            if scene.controller.isScanning { scanned += 1 }
        }
        #expect(scanned > 420, "a fifth of the time at most, and as much for what else there is")
    }

    // MARK: Advertising

    @Test(arguments: [ScriptedPhone.Signal.compliant, .both])
    func `X6: an advertising board writes nothing to an Android phone, which would then never read it`(
        _ signal: ScriptedPhone.Signal
    ) throws {
        let phone = try ScriptedPhone(1, signal: signal)
        var scene = try Scene("herald.share_payloads=true")
        scene.phones = [phone, try ScriptedPhone(2)]
        scene.run(milliseconds: 120_000)
        #expect(phone.linkCount == 1)
        #expect(phone.writes.isEmpty && phone.preparedWrites.isEmpty && phone.commands.isEmpty)
    }

    @Test func `X6: a board writes nothing to an Android phone that connected to it`() throws {
        var scene = try Scene()
        let phone = try ScriptedPhone(1)
        phone.accepts = false
        scene.phones = [phone]
        scene.run(milliseconds: 3_000)
        scene.world.forceConnect(from: phone)
        scene.run(milliseconds: 5_000)
        #expect(phone.requests.contains { $0.first == 0x0a }, "it was read")
        #expect(phone.writes.isEmpty)
    }

    @Test func `HP-C39, HP-C40: an iPhone gets the payload once, because it cannot always hear the board`()
        throws
    {
        let phone = try ScriptedPhone(1, signal: .nonCompliant)
        var scene = try Scene()
        scene.phones = [phone]
        scene.run(milliseconds: 120_000)
        #expect(phone.messages == [.init(code: .payload, data: ownPayload)])
        #expect(phone.linkCount == 1)
        #expect(phone.commands.isEmpty)
    }

    @Test func `a wearable writes each of its identities to an iPhone once`() throws {
        let phone = try ScriptedPhone(1, signal: .nonCompliant)
        var scene = try Scene("agent.role=wearable")
        scene.world.wallOffset = 1_767_225_600_000 + 86_400_000
        scene.phones = [phone]
        scene.run(milliseconds: 13 * 60_000)
        #expect(codes(phone).allSatisfy { $0 == .payload })
        #expect(Set(phone.messages.map(\.data)).count == phone.messages.count)
        #expect((3...4).contains(phone.messages.count))
        #expect(phone.messages.allSatisfy { $0.data.count == 21 })
    }

    @Test func `a wearable without an identity writes none`() throws {
        let phone = try ScriptedPhone(1, signal: .nonCompliant)
        var scene = try Scene("agent.role=wearable", "radio.advertise=false")
        scene.phones = [phone]
        scene.run(milliseconds: 60_000)
        #expect(phone.linkCount == 1)
        #expect(phone.messages.isEmpty)
    }
}
