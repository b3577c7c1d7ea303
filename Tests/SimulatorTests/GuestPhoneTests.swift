import DeviceSync
import EncounterLog
import FixedMemory
import HCI
import Testing

@testable import Simulator

/// Phones with short-lived addresses, phones that write, and the settings that concern phones.
@Suite struct GuestPhoneTests {
    private struct Room {
        let world = World(seed: 5)
        let board: SimulatedBoard

        init(_ options: [String] = []) {
            var setup = BoardSetup()
            setup.options += options + ["log.loss_window_seconds=10"]
            board = SimulatedBoard("board", setup, in: world)
            board.powerOn()
        }

        func add(_ kind: PhoneKind, _ number: Int = 0) -> SimulatedPhone {
            SimulatedPhone(
                "\(kind.name) \(number)", kind, at: Route(standingAt: Position(2 + Double(number), 0)),
                in: world)
        }

        var entries: [LogEntry] { BoardLog(of: board).pages.flatMap(\.entries) }

        var messages: [[UInt8]] {
            entries.compactMap { entry in
                switch entry {
                case .message(let body): (0..<body.data.count).map { body.data[$0] }
                case .sharedPayloads(let body): (0..<body.payloads.count).map { body.payloads[$0] }
                default: nil
                }
            }
        }
    }

    @Test(arguments: [
        PhoneKind.restless.name, PhoneKind.restlessLegacy.name,
    ])
    func `HP-C14: a phone is one encounter under any number of addresses, and seldom read`(name: String)
        throws
    {
        let room = Room()
        let phone = room.add(try #require(PhoneKind.guests.first { $0.name == name }))
        room.world.run(for: .minutes(10))
        #expect(phone.addresses.count > 5 && phone.pseudoAddresses.count == 1)
        #expect(room.board.counters?.encounters == 1)
        #expect((3...4).contains(phone.servedCount), "after moves, with pauses of one minute, two, and four")
        #expect(phone.violations == [] && room.board.controller.violations == [])
    }

    @Test func `a phone is recognised after a change of its pseudo address`() {
        let room = Room()
        var kind = PhoneKind.restless
        kind.pseudoAddressLifetime = .minutes(3)
        let phone = room.add(kind)
        room.world.run(for: .minutes(10))
        #expect(phone.pseudoAddresses.count == 4)
        #expect(room.board.counters?.merged == 3)
    }

    @Test(arguments: [PhoneKind.fragmenting.name, PhoneKind.preparing.name])
    func `messages that a phone writes in fragments are logged whole`(name: String) throws {
        let room = Room()
        let kind = try #require(PhoneKind.guests.first { $0.name == name })
        let phones = [room.add(kind), room.add(kind, 1)]
        room.world.run(for: .minutes(4))
        room.board.stop()
        room.world.run(for: .seconds(1))
        let sent = phones.flatMap(\.sentMessages)
        #expect(sent.contains { $0.data.count > 100 && $0.kind == .immediate })
        #expect(sent.contains { $0.kind != .immediate })
        let acknowledged = sent.filter { $0.acknowledged != nil }.map(\.data)
        #expect(acknowledged.count > 8)
        #expect(Set(room.messages) == Set(acknowledged) && room.messages.count == acknowledged.count)
        #expect(phones.flatMap(\.violations) == [])
    }

    /// The smallest pages have 256 bytes, and a phone's payload may have 512.
    @Test func `an entry too long for any page does not block later entries`() {
        let world = World(seed: 5)
        var setup = BoardSetup()
        setup.blockByteCount = 256
        setup.options += ["log.loss_window_seconds=10"]
        let board = SimulatedBoard("board", setup, in: world)
        _ = SimulatedPhone(
            "talker", payload: [UInt8](repeating: 0x11, count: 400), at: Route(standingAt: Position(2, 0)),
            in: world)
        board.powerOn()
        world.run(for: .minutes(2))
        let pages = BoardLog(of: board).pages.count
        world.run(for: .minutes(2))
        #expect(board.counters?.dropped == 1)
        #expect(BoardLog(of: board).pages.count > pages + 5)
    }

    /// Each address of a restless phone passes the filter once. Other phones show that no device is heard
    /// twice.
    @Test func `a restless phone does not hide a duplicate filter`() {
        let room = Room()
        _ = room.add(.restless, 5)
        room.world.run(for: .minutes(2))
        let faults = room.board.controller.faults
        faults.begin(.duplicateFilter, cure: .reset)
        let phones = (0..<3).map { room.add(.android, $0) }
        room.world.run(for: .seconds(10))
        faults.end(.duplicateFilter)
        #expect(phones.allSatisfy { $0.servedCount == 1 } && faults.has(.duplicateFilter))
        let isCured = room.world.run(atMost: .minutes(5)) { !faults.has(.duplicateFilter) }
        #expect(isCured)
    }

    @Test func `iPhones get the payloads of other phones that the board heard`() {
        let room = Room(["herald.share_payloads=true"])
        let phone = room.add(.backgroundIPhone)
        let other = room.add(.android, 1)
        room.world.run(for: .minutes(3))
        let shared = phone.messagesFromBoards.filter { $0.code == .payloadSharing }
        #expect(shared.map(\.data) == [other.payload])
        #expect(other.messagesFromBoards == [] && phone.violations == [])
    }

    @Test func `iPhones are woken about once a minute`() {
        let room = Room(["herald.wake_iphones=true"])
        let phone = room.add(.backgroundIPhone)
        room.world.run(for: .minutes(10))
        #expect((7...10).contains(phone.wakeCount))
        #expect(phone.violations == [])
    }

    @Test func `the board reads the model of phones`() {
        let room = Room(["herald.ask_model=true"])
        let phones = (0..<2).map { room.add(.named, $0) }
        room.world.run(for: .minutes(2))
        let models = room.entries.compactMap { entry -> [UInt8]? in
            guard case .peerDetails(let body) = entry, body.detail == .model else { return nil }
            return (0..<body.value.count).map { body.value[$0] }
        }
        #expect(Set(models) == Set(phones.map(\.model)) && models.count == 2)
        #expect(phones.flatMap(\.violations) == [])
    }

    @Test(arguments: [false, true])
    func `HP-C31: an operator's message arrives whole, once, at its receivers only`(toAll: Bool) throws {
        let room = Room()
        let phones = [room.add(.android), room.add(.slow, 1), room.add(.backgroundIPhone, 2)]
        room.world.run(for: .minutes(1))
        let host = SyncingHost("operator", at: room.board.line, in: room.world)
        host.isIdle = true
        let text = [UInt8](repeating: 0x61, count: 300)
        let buffer = FixedBuffer<509>(text.span)
        let data = try #require(buffer)
        for (number, phone) in phones.enumerated() {
            let address = phone.address
            host.nextMessage = {
                MessageRequest(
                    number: UInt32(number + 1),
                    recipients: toAll ? .all : .address(address.bytes, type: address.addressType), data: data)
            }
            host.begin()
            room.world.run(for: .minutes(1))
        }
        host.nextMessage = { nil }
        host.begin()
        room.world.run(for: .seconds(10))
        for phone in phones {
            let got = phone.messagesFromBoards.filter { $0.code == .immediateSend }
            #expect(got.count == (toAll ? 3 : 1) && got.allSatisfy { $0.data == text }, "\(phone.name)")
            #expect(phone.violations == [])
        }
        #expect(host.messages.allSatisfy { $0.report?.queuedCount == (toAll ? 3 : 1) })
        #expect(host.messages.last?.report?.deliveredCount == (toAll ? 3 : 1))
    }

    @Test func `a queued message causes no work while the radio is down`() {
        let room = Room()
        _ = room.add(.android)
        room.world.run(for: .seconds(30))
        room.board.controller.faults.begin(.vanishedAdapter, cure: .byItself)
        room.world.run(for: .seconds(3))
        let host = SyncingHost("operator", at: room.board.line, in: room.world)
        host.isIdle = true
        let text = Array("hello".utf8)
        let data = FixedBuffer<509>(text.span) ?? FixedBuffer()
        host.nextMessage = { MessageRequest(number: 1, recipients: .all, data: data) }
        host.begin()
        room.world.run(for: .seconds(10))
        #expect(host.messages.first?.report?.queuedCount == 1)
        let steps = room.board.stepCount
        room.world.run(for: .seconds(10))
        #expect(room.board.stepCount - steps < 1_000)
    }

    /// Without faults no violation can be excused.
    @Test(arguments: [
        WorldOption.restlessPhones, .writesFragments, .writesPrepared, .operatorSends, .sharesPayloads,
        .wakesIPhones, .asksModel, .dropsWeakestLink,
    ])
    func `a world with guests holds all invariants`(option: WorldOption) {
        var options = RunOptions(seed: 11)
        options.duration = .minutes(6)
        options.phoneCount = 3
        options.faults = []
        options.world = [option]
        let outcome = SimulatedRun(options).run()
        #expect(outcome.violations.map { "\($0)" } == [], "\(outcome.options)")
    }
}
