import DeviceSync
import FixedMemory
import TestSupport
import Testing

/// Tests the delivery of the operator's messages to phones.
@Suite struct MessageSendingTests {
    private let hello = Array("hello".utf8)

    @Test func `HP-C29, HP-C30, HP-O08: a message opens a link, and goes to the signal characteristic`()
        throws
    {
        let phone = try ScriptedPhone(1)
        var scene = try settledScene([phone])
        let report = try scene.send(hello, to: phone.asRecipient)
        #expect(report == MessageReport(number: 1, queuedCount: 1, leftOutCount: 0))
        scene.run { _ in !phone.messages.isEmpty }
        #expect(phone.messages == [.immediate(hello)])
        #expect(phone.linkCount == 2)
        scene.run(milliseconds: 1_000)
        #expect(!phone.isConnected, "and the link is closed")
        #expect(try scene.report().deliveredCount == 1)
        #expect(phone.commands.isEmpty)
    }

    @Test func `HP-O08: a message uses an open link, also one that the phone made`() throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let phone = try ScriptedPhone(1)
        scene.world.connect(phone)
        scene.run(milliseconds: 2_000)
        try phone.write([UInt8](hex: "01 0400 10010203"))
        scene.run(milliseconds: 1_000)
        let identity = FixedBuffer<512>([UInt8](hex: "10010203").span) ?? FixedBuffer()
        #expect(try scene.send(hello, to: .identity(identity)).queuedCount == 1)
        scene.run(milliseconds: 500)
        #expect(phone.messages == [.immediate(hello)])
        #expect(phone.linkCount == 1)
        #expect(!scene.controller.commands.contains(.leCreateConnection))
    }

    @Test func `HP-O08: a message to all goes to exactly the phones heard within the last minute`() throws {
        let (gone, near, far) = (
            try ScriptedPhone(1), try ScriptedPhone(2), try ScriptedPhone(3, signal: .nonCompliant)
        )
        far.rssiDBm = -90
        var scene = try settledScene([gone, near, far])
        gone.isAway = true
        scene.run(milliseconds: 55_000)
        far.isAway = true
        scene.run(milliseconds: 10_000)
        #expect(try scene.send(hello).queuedCount == 2)
        scene.run(milliseconds: 5_000)
        #expect(near.messages == [.immediate(hello)])
        far.isAway = false
        gone.isAway = false
        scene.run(milliseconds: 20_000)
        #expect(far.messages.last == .immediate(hello))
        #expect(gone.messages.isEmpty)
        let report = try scene.report()
        #expect(report.deliveredCount == 2 && report.waitingCount == 0)
    }

    @Test func `HP-C31: a message waits for the pending request only, not for the rest of a read`() throws {
        let payload = (0..<400).map { UInt8(truncatingIfNeeded: $0) }
        let phone = try ScriptedPhone(1, payload: payload)
        phone.maximumMTU = 23
        phone.mutesAt = (0x0c, 3)
        var scene = try Scene()
        scene.phones = [phone]
        scene.run { _ in phone.isMute }
        let inFlight = phone.requests.count
        _ = try scene.send(hello, to: phone.asRecipient)
        #expect(phone.requests.count == inFlight, "one request at a time")
        phone.answerLast()
        scene.run { _ in !phone.isConnected }
        #expect(phone.messages == [.immediate(hello)])
        let further = phone.requests.dropFirst(inFlight).compactMap(\.first)
        #expect(further.prefix(2) == [0x12, 0x0c], "the message, and the read goes on")
        #expect(phone.requests.filter { $0.first == 0x0a }.count == 1, "where it was")
        #expect(phone.linkCount == 1)
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.identified).map(\.identityBytes) == [payload])
    }

    @Test(
        arguments: [
            // The search for the model, then its first and its second part; Sonar's service, then the parts
            // of
            // its identity.
            ("herald.ask_model=true", 0x06, 2), ("herald.ask_model=true", 0x0a, 2),
            ("herald.ask_model=true", 0x0c, 1), ("schemes.sonar=listen", 0x06, 2),
            ("schemes.sonar=listen", 0x0a, 2), ("schemes.sonar=listen", 0x0c, 3),
        ] as [(String, UInt8, Int)])
    func `HP-C31: a message does not wait for the rest of a search, another scheme, or the device's model`(
        _ option: String, _ opcode: UInt8, _ count: Int
    ) throws {
        let name = String(repeating: "Pixel ", count: 8)
        let phone =
            option.hasPrefix("herald")
            ? try ScriptedPhone(1, model: name, maker: "Google")
            : try ScriptedPhone(
                1, schemes: [.init(.sonar, [UInt8](repeating: 3, count: 129))], herald: [0x10, 1],
                advert: ScriptedPhone.heraldAdvert, hasSignal: true)
        phone.maximumMTU = 23
        phone.mutesAt = (opcode, count)
        var scene = try Scene(option)
        scene.phones = [phone]
        scene.run { _ in phone.isMute }
        let inFlight = phone.requests.count
        _ = try scene.send(hello, to: phone.asRecipient)
        phone.answerLast()
        scene.run { _ in !phone.isConnected }
        #expect(phone.messages == [.immediate(hello)])
        #expect(phone.requests.dropFirst(inFlight).first?.first == 0x12)
        #expect(Set(phone.requests).count == phone.requests.count, "nothing is asked twice")
        #expect(phone.linkCount == 1)
        scene.stop()
        let entries = scene.world.medium.entries
        if option.hasPrefix("herald") {
            #expect(entries.compactMap(\.peerDetails).first?.value.span.array == Array(name.utf8))
        } else {
            // The value is refused, because it is not a point of the curve, but it was read completely.
            #expect(entries.compactMap(\.refused).map { $0.bytes.count } == [129])
        }
    }

    @Test func `HP-C31: a message interrupts a search on a link to a phone that was read before`() throws {
        let phone = try ScriptedPhone(
            1, schemes: [.init(.sonar, [UInt8](repeating: 3, count: 129))], herald: [0x10, 1],
            advert: ScriptedPhone.heraldAdvert, hasSignal: true)
        phone.every = 1_000
        var scene = try settledScene([phone], ["schemes.sonar=listen"])
        while !scene.world.now.milliseconds.isMultiple(of: 1_000) { scene.run(milliseconds: 10) }
        phone.mutesAt = (0x06, phone.requests.count { $0.first == 0x06 } + 1)
        for _ in 0..<1_000 where !phone.isMute { scene.run(milliseconds: 1_000) }
        #expect(phone.isMute, "it is asked again after a quarter of an hour")
        let inFlight = phone.requests.count
        _ = try scene.send(hello, to: phone.asRecipient)
        phone.answerLast()
        scene.run { _ in !phone.isConnected }
        #expect(phone.messages == [.immediate(hello)])
        // The board looks for the attribute to write first: a service and its characteristics.
        let further = phone.requests.dropFirst(inFlight).compactMap(\.first)
        let (written, read) = (further.firstIndex(of: 0x12), further.firstIndex(of: 0x0a))
        #expect(try #require(written) < #require(read), "and then the search goes on")
        #expect(phone.linkCount == 2)
    }

    @Test func `HP-C31: an attempt for a message comes before all other connection attempts`() throws {
        let target = try ScriptedPhone(1)
        var scene = try settledScene([target])
        let others = try (2..<12 as Range<UInt64>).map { number in
            let phone = try ScriptedPhone(number)
            phone.rssiDBm = -40
            phone.accepts = false
            return phone
        }
        scene.phones += others
        scene.run { $0.controller.connectingTo != nil }
        // An attempt for a message ignores the pause after earlier failed attempts.
        let count = scene.controller.commands.count
        _ = try scene.send(hello, to: target.asRecipient)
        scene.run { _ in !target.messages.isEmpty }
        #expect(target.messages == [.immediate(hello)])
        let further = zip(scene.controller.commands, scene.controller.parameters).dropFirst(count)
            .filter { $0.0 == .leCreateConnection }
        // The peer's address follows scan interval (2), scan window (2), filter policy and address type.
        #expect(further.first.map { Array($0.1[6..<12]) } == target.address.bytes.span.array)
    }

    /// An attempt at a phone that is gone takes two seconds, and the pause after it two to three.
    @Test(arguments: [0, 1])
    func `HP-C31: others get the message while an attempt that failed waits`(gone: Int) throws {
        let phones = [try ScriptedPhone(1), try ScriptedPhone(2)]
        var scene = try settledScene(phones)
        phones[gone].accepts = false
        let start = scene.world.now
        _ = try scene.send(hello, to: .all)
        scene.run { _ in !phones[1 - gone].messages.isEmpty }
        #expect(scene.world.now - start < 3_000)
    }

    @Test func `HP-C31: a message goes to a phone that was never read, without the pause after a failure`()
        throws
    {
        let phone = try ScriptedPhone(1)
        phone.accepts = false
        var scene = try Scene()
        scene.phones = [phone]
        // After several failures the pause is half a minute.
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

    @Test func `X4: an Android phone gets a long message in 20-byte writes, one after the other`() throws {
        let phone = try ScriptedPhone(1)
        var scene = try settledScene([phone])
        let data = (0..<509).map { UInt8(truncatingIfNeeded: $0) }
        _ = try scene.send(data, to: phone.asRecipient)
        scene.run { _ in !phone.messages.isEmpty }
        #expect(phone.messages == [.immediate(data)])
        #expect(phone.writes.map(\.count) == [Int](repeating: 20, count: 25) + [12])
        #expect(phone.preparedWrites.isEmpty && phone.commands.isEmpty)
    }

    @Test(arguments: [23, 517] as [UInt16])
    func `HP-C39, HP-C40: an iPhone gets a message in one write with response, or in prepared writes`(
        _ mtu: UInt16
    ) throws {
        let phone = try ScriptedPhone(1, signal: .nonCompliant)
        phone.maximumMTU = mtu
        var scene = try settledScene([phone])
        let ownWrites = phone.writes.count
        let ownPrepared = phone.preparedWrites.count
        let data = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        _ = try scene.send(data, to: phone.asRecipient)
        scene.run { _ in phone.messages.last?.code == .immediateSend }
        #expect(phone.messages.last == .immediate(data))
        #expect(phone.writes.count - ownWrites == (mtu == 23 ? 0 : 1))
        #expect((phone.preparedWrites.count > ownPrepared) == (mtu == 23))
        #expect(phone.commands.isEmpty)
    }

    @Test func `HP-C40: the board never writes to a signal characteristic without write requests`() throws {
        let phone = try ScriptedPhone(1, signal: .unwritable)
        var scene = try settledScene([phone])
        _ = try scene.send(hello, to: phone.asRecipient)
        scene.run(milliseconds: 20_000)
        #expect(phone.messages.isEmpty && phone.commands.isEmpty && phone.writes.isEmpty)
        #expect(try scene.report().failedCount == 1)
    }

    @Test func `two messages to an Android phone go over two links`() throws {
        // Within one link the phone would take the second message for the rest of the first.
        let phone = try ScriptedPhone(1)
        var scene = try settledScene([phone])
        _ = try scene.send(hello, to: phone.asRecipient, number: 1)
        _ = try scene.send([9], to: phone.asRecipient, number: 2)
        scene.run { _ in phone.messages.count == 2 }
        #expect(phone.messages == [.immediate(hello), .immediate([9])])
        #expect(phone.linkCount == 3)
    }
}
