import DeviceSync
import EncounterLog
import FixedMemory
import GATT
import HCI
import Protocols
import TestSupport
import Testing

extension Scene {
    /// Asks the board to send `data`, as a host does.
    mutating func send(
        _ data: [UInt8], to recipients: MessageRequest.Recipients = .all, number: UInt32 = 1
    ) throws -> MessageReport {
        let message = MessageRequest(
            number: number, recipients: recipients, data: FixedBuffer<509>(data.span) ?? FixedBuffer())
        let request = try SyncRequest.send(message, sequence: 77)
        let answer = try ask(request)
        return try SyncResponse(answer.span, to: request).messageReport()
    }

    mutating func report(_ number: UInt32 = 1) throws -> MessageReport {
        let request = try SyncRequest.messageReport(number: number, sequence: 78)
        let answer = try ask(request)
        return try SyncResponse(answer.span, to: request).messageReport()
    }
}

extension TestPhone {
    var asRecipient: MessageRequest.Recipients {
        .address(address.bytes, type: address.addressType)
    }
}

@Suite struct MessageTests {
    private let hello = Array("hello".utf8)

    /// Phones that have been read, and nothing going on.
    private func settled(_ phones: [TestPhone], _ options: [String] = []) throws -> Scene {
        var scene = try Scene(options: options)
        scene.controller.phones = phones
        scene.run { _ in phones.allSatisfy { $0.linkCount > 0 && !$0.isConnected } }
        scene.run(milliseconds: 2_000)
        return scene
    }

    private func immediate(_ data: [UInt8]) -> TestPhone.SignalMessage {
        TestPhone.SignalMessage(code: .immediateSend, data: data)
    }

    // MARK: Sending

    @Test("A message that comes while there is no radio waits for it, and asks for no steps")
    func aMessageWithoutARadio() throws {
        let phone = try TestPhone(1)
        var scene = try settled([phone])
        scene.controller.isTransportBroken = true
        scene.run { $0.hasLogged("radio down") }
        scene.run(milliseconds: 1_000)
        _ = try scene.send(hello, to: phone.asRecipient)
        scene.settle()
        let next = scene.agent.step() ?? 0
        let now = scene.world.now
        #expect(next > now)
    }

    @Test("HP-C29, HP-C30, HP-O08: a message opens a link and is written to the signal characteristic")
    func aMessageOpensALink() throws {
        let phone = try TestPhone(1)
        var scene = try settled([phone])
        let report = try scene.send(hello, to: phone.asRecipient)
        #expect(report == MessageReport(number: 1, queuedCount: 1, leftOutCount: 0))
        scene.run { _ in !phone.messages.isEmpty }
        #expect(phone.messages == [immediate(hello)])
        #expect(phone.linkCount == 2)
        scene.run(milliseconds: 1_000)
        #expect(!phone.isConnected, "and the link is closed")
        #expect(try scene.report().deliveredCount == 1)
        #expect(phone.commands.isEmpty)
    }

    @Test("HP-O08: a message uses a link that is open, whoever has made it")
    func aMessageUsesAnOpenLink() throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let phone = try TestPhone(1)
        scene.controller.connectFrom(phone)
        scene.run(milliseconds: 2_000)
        try phone.write([UInt8](hex: "01 0500 10aabbccdd"))
        scene.run(milliseconds: 1_000)
        let identity = FixedBuffer<512>([UInt8](hex: "10aabbccdd").span) ?? FixedBuffer()
        #expect(try scene.send(hello, to: .identity(identity)).queuedCount == 1)
        scene.run(milliseconds: 500)
        #expect(phone.messages == [immediate(hello)])
        #expect(phone.linkCount == 1)
        #expect(!scene.controller.commands.contains(.leCreateConnection))
    }

    @Test("HP-O08: a message to all goes to everybody heard within the last minute, and to nobody else")
    func aMessageToAllGoesToThoseOfTheLastMinute() throws {
        let (gone, near, far) = (try TestPhone(1), try TestPhone(2), try TestPhone(3, signal: .nonCompliant))
        far.rssiDBm = -90
        var scene = try settled([gone, near, far])
        gone.isAway = true
        scene.run(milliseconds: 55_000)
        far.isAway = true
        scene.run(milliseconds: 10_000)
        #expect(try scene.send(hello).queuedCount == 2)
        scene.run(milliseconds: 5_000)
        #expect(near.messages == [immediate(hello)])
        far.isAway = false
        gone.isAway = false
        scene.run(milliseconds: 20_000)
        #expect(far.messages.last == immediate(hello))
        #expect(gone.messages.isEmpty)
        let report = try scene.report()
        #expect(report.deliveredCount == 2 && report.waitingCount == 0)
    }

    @Test(
        "HP-C31: on an open link a message waits for the answer to the request in flight and for nothing else, not for the rest of a read"
    )
    func aMessageInterruptsARead() throws {
        let payload = (0..<400).map { UInt8(truncatingIfNeeded: $0) }
        let phone = try TestPhone(1, payload: payload)
        phone.maximumMTU = 23
        phone.mutesAt = (0x0c, 3)
        var scene = try Scene()
        scene.controller.phones = [phone]
        scene.run { _ in phone.isMute }
        let inFlight = phone.requests.count
        _ = try scene.send(hello, to: phone.asRecipient)
        #expect(phone.requests.count == inFlight, "one request at a time")
        phone.answerLast()
        scene.run { _ in !phone.isConnected }
        #expect(phone.messages == [immediate(hello)])
        let further = phone.requests.dropFirst(inFlight).compactMap(\.first)
        #expect(further.prefix(2) == [0x12, 0x0c], "the message, and the read goes on")
        #expect(phone.requests.filter { $0.first == 0x0a }.count == 1, "where it was")
        #expect(phone.linkCount == 1)
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.identified).map(\.identityBytes) == [payload])
    }

    @Test(
        "HP-C31: nor for the rest of a search or of another scheme, nor for the device's model",
        arguments: [
            // The search for the model, the model's first part and its second; Sonar's service, and its identity's parts.
            ("herald.ask_model=true", 0x06, 2), ("herald.ask_model=true", 0x0a, 2),
            ("herald.ask_model=true", 0x0c, 1), ("schemes.sonar=listen", 0x06, 2),
            ("schemes.sonar=listen", 0x0a, 2), ("schemes.sonar=listen", 0x0c, 3),
        ] as [(String, UInt8, Int)])
    func aMessageInterruptsWhateverIsAsked(_ option: String, _ opcode: UInt8, _ count: Int) throws {
        let name = String(repeating: "Pixel ", count: 8)
        let phone =
            option.hasPrefix("herald")
            ? try TestPhone(1, model: name, maker: "Google")
            : try TestPhone(
                1, schemes: [.init(.sonar, [UInt8](repeating: 3, count: 129))], herald: [0x10, 1],
                advert: TestPhone.heraldAdvert, hasSignal: true)
        phone.maximumMTU = 23
        phone.mutesAt = (opcode, count)
        var scene = try Scene(option)
        scene.controller.phones = [phone]
        scene.run { _ in phone.isMute }
        let inFlight = phone.requests.count
        _ = try scene.send(hello, to: phone.asRecipient)
        phone.answerLast()
        scene.run { _ in !phone.isConnected }
        #expect(phone.messages == [immediate(hello)])
        #expect(phone.requests.dropFirst(inFlight).first?.first == 0x12)
        #expect(Set(phone.requests).count == phone.requests.count, "nothing is asked twice")
        #expect(phone.linkCount == 1)
        scene.stop()
        let entries = scene.world.medium.entries
        if option.hasPrefix("herald") {
            #expect(entries.compactMap(\.peerDetails).first?.value.span.array == Array(name.utf8))
        } else {
            // Not a point of the curve, but whole.
            #expect(entries.compactMap(\.refused).map { $0.bytes.count } == [129])
        }
    }

    @Test("HP-C31: a message goes into the middle of a search on a link whose phone was read before")
    func aMessageInterruptsALaterSearch() throws {
        let phone = try TestPhone(
            1, schemes: [.init(.sonar, [UInt8](repeating: 3, count: 129))], herald: [0x10, 1],
            advert: TestPhone.heraldAdvert, hasSignal: true)
        phone.every = 1_000
        var scene = try settled([phone], ["schemes.sonar=listen"])
        while !scene.world.now.isMultiple(of: 1_000) { scene.run(milliseconds: 10) }
        phone.mutesAt = (0x06, phone.requests.count { $0.first == 0x06 } + 1)
        for _ in 0..<1_000 where !phone.isMute { scene.run(milliseconds: 1_000, tick: 100) }
        #expect(phone.isMute, "it is asked again after a quarter of an hour")
        let inFlight = phone.requests.count
        _ = try scene.send(hello, to: phone.asRecipient)
        phone.answerLast()
        scene.run { _ in !phone.isConnected }
        #expect(phone.messages == [immediate(hello)])
        // Where to write to is looked for first: a service, and what it has.
        let further = phone.requests.dropFirst(inFlight).compactMap(\.first)
        let (written, read) = (further.firstIndex(of: 0x12), further.firstIndex(of: 0x0a))
        #expect(try #require(written) < #require(read), "and then the search goes on")
        #expect(phone.linkCount == 2)
    }

    @Test("HP-C31: a message comes before whatever else somebody is to be connected to for")
    func aMessageComesBeforeOtherAttempts() throws {
        let target = try TestPhone(1)
        var scene = try settled([target])
        let others = try (2..<12 as Range<UInt64>).map { number in
            let phone = try TestPhone(number)
            phone.rssiDBm = -40
            phone.accepts = false
            return phone
        }
        scene.controller.phones += others
        scene.run { $0.controller.connectingTo != nil }
        // It was tried in vain, too: its pause is of no account.
        let attempts = scene.controller.commands.filter { $0 == .leCreateConnection }.count
        _ = try scene.send(hello, to: target.asRecipient)
        scene.run { _ in !target.messages.isEmpty }
        #expect(target.messages == [immediate(hello)])
        let further = scene.controller.commands.filter { $0 == .leCreateConnection }.count - attempts
        #expect(further == 1)
    }

    @Test(
        "HP-C31: a message needs no payload to have been read, and does not wait for the pause after a failure"
    )
    func aMessageDoesNotWaitForAPause() throws {
        let phone = try TestPhone(1)
        phone.accepts = false
        var scene = try Scene()
        scene.controller.phones = [phone]
        // Several failures: a pause of half a minute.
        scene.run(milliseconds: 60_000)
        while scene.controller.connectingTo != nil { scene.run(milliseconds: 10) }
        scene.run(milliseconds: 100)
        phone.accepts = true
        let start = scene.world.now
        _ = try scene.send(hello, to: phone.asRecipient)
        scene.run { _ in !phone.messages.isEmpty }
        #expect(scene.world.now - start < 1_000)
        scene.run { _ in !phone.isConnected }
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.identified).count == 1, "and it is read as well")
        let write = try #require(phone.requests.firstIndex { $0.first == 0x12 })
        let read = try #require(phone.requests.firstIndex { $0.first == 0x0a })
        #expect(write < read)
    }

    @Test(
        "X4: an Android phone gets a long message in writes of 20 bytes, each after the answer to the one before"
    )
    func anAndroidPhoneGetsFragments() throws {
        let phone = try TestPhone(1)
        var scene = try settled([phone])
        let data = (0..<509).map { UInt8(truncatingIfNeeded: $0) }
        _ = try scene.send(data, to: phone.asRecipient)
        scene.run { _ in !phone.messages.isEmpty }
        #expect(phone.messages == [immediate(data)])
        #expect(phone.writes.map(\.count) == [Int](repeating: 20, count: 25) + [12])
        #expect(phone.preparedWrites.isEmpty && phone.commands.isEmpty)
    }

    @Test(
        "HP-C39, HP-C40: an iPhone gets a message whole: in one write with response, or where that is too long in prepared writes",
        arguments: [23, 517] as [UInt16])
    func anIPhoneGetsItWhole(_ mtu: UInt16) throws {
        let phone = try TestPhone(1, signal: .nonCompliant)
        phone.maximumMTU = mtu
        var scene = try settled([phone])
        let ownWrites = phone.writes.count
        let ownPrepared = phone.preparedWrites.count
        let data = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        _ = try scene.send(data, to: phone.asRecipient)
        scene.run { _ in phone.messages.last?.code == .immediateSend }
        #expect(phone.messages.last == immediate(data))
        #expect(phone.writes.count - ownWrites == (mtu == 23 ? 0 : 1))
        #expect((phone.preparedWrites.count > ownPrepared) == (mtu == 23))
        #expect(phone.commands.isEmpty)
    }

    @Test("HP-C40: a signal characteristic that takes no writes with response is left alone")
    func writesWithoutResponseAreNeverMade() throws {
        let phone = try TestPhone(1, signal: .unwritable)
        var scene = try settled([phone])
        _ = try scene.send(hello, to: phone.asRecipient)
        scene.run(milliseconds: 20_000)
        #expect(phone.messages.isEmpty && phone.commands.isEmpty && phone.writes.isEmpty)
        #expect(try scene.report().failedCount == 1)
    }

    @Test func twoMessagesToAnAndroidPhoneGoOverTwoLinks() throws {
        // It would take the second for the rest of the first.
        let phone = try TestPhone(1)
        var scene = try settled([phone])
        _ = try scene.send(hello, to: phone.asRecipient, number: 1)
        _ = try scene.send([9], to: phone.asRecipient, number: 2)
        scene.run { _ in phone.messages.count == 2 }
        #expect(phone.messages == [immediate(hello), immediate([9])])
        #expect(phone.linkCount == 3)
    }

    @Test func whoRefusesIsTriedThreeTimesAndGivenUp() throws {
        let phone = try TestPhone(1)
        var scene = try settled([phone])
        phone.refusesWrites = true
        _ = try scene.send(hello, to: phone.asRecipient)
        scene.run(milliseconds: 60_000)
        #expect(phone.writes.count == 3)
        let report = try scene.report()
        #expect(report.failedCount == 1 && report.waitingCount == 0)
    }

    @Test func whoIsOutOfReachAgainIsGivenUpInTheEnd() throws {
        let phone = try TestPhone(1)
        var scene = try settled([phone])
        phone.isAway = true
        scene.run(milliseconds: 20_000)
        #expect(try scene.send(hello).queuedCount == 1)
        scene.run(milliseconds: 200_000)
        #expect(try scene.report().waitingCount == 1)
        scene.run(milliseconds: 110_000)
        #expect(try scene.report().failedCount == 1)
        #expect(scene.controller.commands.filter { $0 == .leCreateConnection }.count == 1)
    }

    @Test func aMessageOutlivesAReset() throws {
        let phone = try TestPhone(1)
        var scene = try settled([phone])
        phone.accepts = false
        _ = try scene.send(hello, to: phone.asRecipient)
        scene.run(milliseconds: 500)
        scene.controller.event(0x10, [1])
        scene.run(milliseconds: 3_000)
        phone.accepts = true
        scene.run(milliseconds: 30_000)
        #expect(phone.messages == [immediate(hello)])
    }

    @Test func aMessageFollowsAPhoneToItsNextAddress() throws {
        let phone = try TestPhone(1, payload: [0x10, 5, 5])
        var scene = try settled([phone])
        phone.isAway = true
        scene.run(milliseconds: 5_000)
        _ = try scene.send(hello, to: phone.asRecipient)
        let next = try TestPhone(2, payload: [0x10, 5, 5])
        scene.controller.phones = [next]
        scene.run(milliseconds: 20_000)
        #expect(next.messages == [immediate(hello)])
    }

    // MARK: Limits

    @Test func aRepeatedRequestIsAnsweredAgainAndNotSentAgain() throws {
        let phone = try TestPhone(1)
        var scene = try settled([phone])
        _ = try scene.send(hello, to: phone.asRecipient, number: 5)
        _ = try scene.send(hello, to: phone.asRecipient, number: 5)
        scene.run(milliseconds: 10_000)
        #expect(try scene.send(hello, to: phone.asRecipient, number: 5).deliveredCount == 1)
        scene.run(milliseconds: 10_000)
        #expect(phone.messages.count == 1)
    }

    @Test func nobodyThereIsSaidSo() throws {
        let phone = try TestPhone(1)
        var scene = try settled([phone])
        let stranger = try TestPhone(2)
        #expect(throws: SyncResponseError.refused(.messageNobodyThere)) {
            try scene.send(hello, to: stranger.asRecipient)
        }
        let unknown = FixedBuffer<512>([1, 2, 3].span) ?? FixedBuffer()
        #expect(throws: SyncResponseError.refused(.messageNobodyThere)) {
            try scene.send(hello, to: .identity(unknown))
        }
        #expect(throws: SyncResponseError.refused(.messageUnknown)) { try scene.report(99) }
        scene.controller.phones = []
        scene.run(milliseconds: 61_000)
        #expect(throws: SyncResponseError.refused(.messageNobodyThere)) {
            try scene.send(hello, to: phone.asRecipient)
        }
        #expect(try scene.send(hello).queuedCount == 0)
    }

    @Test func aNinthMessageIsRefusedWhileEightAreOnTheirWay() throws {
        let phone = try TestPhone(1)
        var scene = try settled([phone])
        phone.isAway = true
        scene.run(milliseconds: 5_000)
        for number in 1...8 as ClosedRange<UInt32> { _ = try scene.send(hello, number: number) }
        #expect(throws: SyncResponseError.refused(.messageQueueFull)) { try scene.send(hello, number: 9) }
        phone.isAway = false
        scene.run(milliseconds: 60_000)
        #expect(phone.messages.count == 8)
        #expect(try scene.send(hello, number: 9).queuedCount == 1)
        #expect(throws: SyncResponseError.refused(.messageUnknown)) { try scene.report(1) }
        #expect(try scene.report(8).deliveredCount == 1)
    }

    @Test func inACrowdSomeAreLeftOutAndSaidSo() throws {
        let phones = try (0..<300 as Range<UInt64>).map { number in
            let phone = try TestPhone(number)
            phone.accepts = false
            phone.every = 1_000
            return phone
        }
        var scene = try Scene()
        scene.controller.phones = phones
        scene.run(milliseconds: 10_000)
        let report = try scene.send(hello)
        #expect(report.queuedCount == 256 && report.leftOutCount == 44)
        #expect(throws: SyncResponseError.refused(.messageQueueFull)) { try scene.send(hello, number: 2) }
    }

    @Test("HP-C24: however many a message goes to in vain, scanning has its share")
    func messagesInVainLeaveTimeToScan() throws {
        let phones = try (0..<60 as Range<UInt64>).map { number in
            let phone = try TestPhone(number)
            phone.accepts = false
            return phone
        }
        var scene = try Scene()
        scene.controller.phones = phones
        scene.run(milliseconds: 5_000)
        #expect(try scene.send(hello).queuedCount == 60)
        var (scanned, pause, longestPause) = (0, 0, 0)
        for _ in 0..<600 {
            scene.run(milliseconds: 100)
            pause = scene.controller.isScanning ? 0 : pause + 100
            longestPause = max(longestPause, pause)
            if scene.controller.isScanning { scanned += 1 }
        }
        #expect(longestPause < 8_000)
        #expect(scanned > 280)
    }

    // MARK: Receiving

    @Test("HP-C29, HP-C30: a message that a phone writes is recorded, with its encounter if there is one")
    func aMessageReceivedIsRecorded() throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let phone = try TestPhone(1)
        phone.readsUs = false
        scene.controller.connectFrom(phone)
        for write in ["04 0200 6869", "02 c8ff", "04 0300 627965", "03 baff 0400 10aa10bb", "03 7f00 0000"] {
            try phone.write([UInt8](hex: write))
            scene.run(milliseconds: 500)
        }
        scene.stop()
        let entries = scene.world.medium.entries
        let encounter = try #require(entries.compactMap(\.opened).first?.encounter)
        let messages = entries.compactMap(\.message)
        #expect(messages.map(\.encounter) == [nil, encounter])
        #expect(messages.map { $0.data.span.array.hex } == ["6869", "627965"])
        let shared = entries.compactMap(\.sharedPayloads)
        #expect(shared.map(\.encounter) == [encounter])
        #expect(shared.map(\.rssiDBm) == [-70])
        #expect(shared.map { $0.payloads.span.array.hex } == ["10aa10bb"])
        #expect(entries.compactMap(\.sample).reduce(0) { $0 + Int($1.readings) } == 2, "its RSSI counts, too")
    }

    @Test("A message that is longer than a page of the log is left out, and what comes after it is written")
    func aMessageLongerThanAPage() throws {
        var scene = try Scene(in: World(medium: TestMedium(blockByteCount: 256)))
        scene.run(milliseconds: 1_000)
        let phone = try TestPhone(1)
        phone.readsUs = false
        scene.controller.connectFrom(phone)
        let message = [4, 44, 1] + [UInt8](repeating: 7, count: 300)
        for start in stride(from: 0, to: message.count, by: 20) {
            try phone.write(Array(message[start..<min(start + 20, message.count)]))
            scene.run(milliseconds: 100)
        }
        try phone.write([UInt8](hex: "04 0200 6869"))
        scene.run(milliseconds: 500)
        scene.stop()
        let said = scene.world.medium.entries.compactMap(\.message).map { $0.data.span.array.hex }
        #expect(said == ["6869"])
    }

    @Test func theWakeWriteIsAnsweredAndMeansNothing() throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let phone = try TestPhone(1)
        phone.readsUs = false
        scene.controller.connectFrom(phone)
        try phone.write([])
        scene.run(milliseconds: 500)
        try phone.write([UInt8](hex: "02 c8ff"))
        scene.run(milliseconds: 500)
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.sample).count == 1)
    }

    @Test func whoWritesWithoutEndDoesNotFillTheLog() throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let phone = try TestPhone(1)
        phone.readsUs = false
        scene.controller.connectFrom(phone)
        for _ in 0..<600 {
            try phone.write([UInt8](hex: "04 0200 6869"))
            scene.run(milliseconds: 100)
        }
        scene.stop()
        let count = scene.world.medium.entries.compactMap(\.message).count
        #expect((12...14).contains(count), "ten at once, then one every twenty seconds")
    }

    @Test("HP-C29: who writes without end, and comes again for more, does not take others' messages from us")
    func whoWritesWithoutEndDoesNotSilenceOthers() throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let writers = try (1...4 as ClosedRange<UInt64>).map { try TestPhone($0) }
        for round in 0..<12 {
            for writer in writers {
                writer.readsUs = false
                if round % 4 == 0, let handle = scene.controller.handle(of: writer) {
                    scene.controller.drop(handle)
                    scene.run(milliseconds: 100)
                }
                if !writer.isConnected { scene.controller.connectFrom(writer) }
                scene.run(milliseconds: 100)
                for _ in 0..<5 {
                    try writer.write([UInt8](hex: "04 0200 6869"))
                    scene.run(milliseconds: 50)
                }
            }
        }
        let other = try TestPhone(9)
        other.readsUs = false
        #expect(scene.controller.connectFrom(other))
        try other.write([UInt8](hex: "04 0200 6f6b"))
        scene.run(milliseconds: 500)
        scene.stop()
        let said = scene.world.medium.entries.compactMap(\.message).map { $0.data.span.array.hex }
        #expect(said.count { $0 == "6869" } <= 30)
        #expect(said.contains("6f6b"))
    }

    @Test("HP-C29: who has written all that it may has no more for coming back to another place")
    func whoComesBackHasWhatItHadLeft() throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let (other, writer) = (try TestPhone(1), try TestPhone(2))
        for phone in [other, writer] {
            phone.readsUs = false
            scene.controller.connectFrom(phone)
            scene.run(milliseconds: 100)
        }
        // The writer had the second place; from now on it has the first.
        for phone in [other, writer] {
            scene.controller.drop(try #require(scene.controller.handle(of: phone)))
            scene.run(milliseconds: 100)
        }
        for _ in 0..<3 {
            scene.controller.connectFrom(writer)
            scene.run(milliseconds: 100)
            for _ in 0..<10 {
                try writer.write([UInt8](hex: "04 0200 6869"))
                scene.run(milliseconds: 50)
            }
            scene.controller.drop(try #require(scene.controller.handle(of: writer)))
            scene.run(milliseconds: 100)
        }
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.message).count == 10)
    }
}
