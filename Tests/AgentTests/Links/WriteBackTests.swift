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

    @Test(
        "HP-C06: a board that does not advertise writes each phone its payload once, and then RSSI readings",
        arguments: [ScriptedPhone.Signal.compliant, .nonCompliant, .both])
    func aSilentBoardWritesBack(_ signal: ScriptedPhone.Signal) throws {
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

    @Test("HP-C06: the interval between RSSI writes can be configured")
    func theIntervalIsSet() throws {
        let phone = try ScriptedPhone(1)
        var scene = try Scene("radio.advertise=false", "herald.write_back_seconds=60")
        scene.phones = [phone]
        scene.run(milliseconds: 130_000)
        #expect(codes(phone).filter { $0 == .rssi }.count == 3)
    }

    @Test(
        "HP-C06: a board whose controller cannot advertise detects that and writes instead",
        arguments: [Status.unknownCommand, .unsupportedFeature])
    func aControllerWithoutThePeripheralRole(_ status: Status) throws {
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

    @Test("HP-C06: a failed write is tried again, with growing pauses")
    func aWriteThatFailsIsTriedAgain() throws {
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

    @Test("HP-C06, X4: a long payload goes to an Android phone in fragments of 20 bytes")
    func aLongPayloadGoesInFragments() throws {
        let phone = try ScriptedPhone(1)
        var scene = try Scene(
            "radio.advertise=false", "herald.name=" + String(repeating: "n", count: 100))
        scene.phones = [phone]
        scene.run { _ in phone.messages.count == 2 }
        #expect(phone.messages.first?.data.count == 9 + 102)
        #expect(phone.writes.map(\.count) == [20, 20, 20, 20, 20, 14, 3])
    }

    @Test func aPayloadTooLongForAnIPhoneIsLeftForItToRead() throws {
        let phone = try ScriptedPhone(1, signal: .nonCompliant)
        var scene = try Scene(
            "radio.advertise=false", "herald.name=" + String(repeating: "n", count: 250),
            "herald.area=" + String(repeating: "a", count: 247))
        scene.phones = [phone]
        scene.run(milliseconds: 40_000)
        #expect(codes(phone) == [.rssi, .rssi, .rssi])
    }

    @Test func aCrowdIsWrittenToWithinABudget() throws {
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

    @Test func phonesThatDoNotAnswerLeaveTimeToScan() throws {
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

    @Test(
        "X6: an advertising board writes nothing to an Android phone, which would then never read it",
        arguments: [ScriptedPhone.Signal.compliant, .both])
    func anAdvertisingBoardWritesNothingToAndroidPhones(_ signal: ScriptedPhone.Signal) throws {
        let phone = try ScriptedPhone(1, signal: signal)
        var scene = try Scene("herald.share_payloads=true")
        scene.phones = [phone, try ScriptedPhone(2)]
        scene.run(milliseconds: 120_000)
        #expect(phone.linkCount == 1)
        #expect(phone.writes.isEmpty && phone.preparedWrites.isEmpty && phone.commands.isEmpty)
    }

    @Test("X6: a board writes nothing to an Android phone that connected to it")
    func nothingIsWrittenToAnAndroidPhoneThatConnects() throws {
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

    @Test("HP-C39, HP-C40: an iPhone gets the payload once, because it cannot always hear the board")
    func anIPhoneIsToldOnce() throws {
        let phone = try ScriptedPhone(1, signal: .nonCompliant)
        var scene = try Scene()
        scene.phones = [phone]
        scene.run(milliseconds: 120_000)
        #expect(phone.messages == [.init(code: .payload, data: ownPayload)])
        #expect(phone.linkCount == 1)
        #expect(phone.commands.isEmpty)
    }

    @Test func aWearableTellsAnIPhoneOfEachOfItsIdentities() throws {
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

    @Test func whoIsNobodyTellsNobody() throws {
        let phone = try ScriptedPhone(1, signal: .nonCompliant)
        var scene = try Scene("agent.role=wearable", "radio.advertise=false")
        scene.phones = [phone]
        scene.run(milliseconds: 60_000)
        #expect(phone.linkCount == 1)
        #expect(phone.messages.isEmpty)
    }

    // MARK: Waking

    @Test("A silent iPhone gets an empty write once a minute, if configured")
    func aSilentIPhoneIsWoken() throws {
        let phone = try ScriptedPhone(1, signal: .nonCompliant)
        var scene = try Scene("herald.wake_iphones=true")
        scene.phones = [phone]
        scene.run(milliseconds: 310_000)
        #expect(phone.messages.map(\.code) == [.payload], "an empty write is no message")
        let wakes = phone.writes.dropFirst()
        #expect((4...5).contains(wakes.count))
        #expect(wakes.allSatisfy { $0.isEmpty })
        #expect(phone.commands.isEmpty && scene.world.violations.isEmpty)
    }

    @Test("The board wakes no iPhone unless configured, and never an Android phone")
    func nobodyElseIsWoken() throws {
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

    @Test("An iPhone that gets or writes a message does not count as silent")
    func whoTakesOrWritesMessagesIsAwake() throws {
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

    @Test("A link that was made to wake an iPhone wakes it, even if payload sharing finds nothing to share")
    func noLinkIsMadeForNothing() throws {
        // Each payload has a length of its own, so there is nothing to share.
        let phones = try (1...20 as ClosedRange<UInt64>).map {
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

    // MARK: Sharing

    @Test func payloadsAreSharedWithIPhonesWhereThatIsSet() throws {
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

    @Test func sharingsAreFifteenSecondsApart() throws {
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

    // MARK: The device's model

    @Test(
        "HP-O06: the board reads a device's model and maker over the same link as its payload, if configured")
    func aDeviceIsAskedForItsModel() throws {
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

    @Test("HP-O06: a device without a model, or with a very long one, does no harm")
    func aDeviceWithoutAModelDoesNoHarm() throws {
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

    @Test("HP-C23: a link reads the payload, writes the board's own, reads the model, and then closes")
    func workOnALinkHasItsOrder() throws {
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
