import HCI
import Testing

/// Tests who gets a link when all slots of the board or of its controller are taken.
@Suite struct LinkLimitTests {
    @Test func `HP-C26: at the link limit the oldest link ends to free a slot for the next phone`() throws {
        var scene = try Scene("encounters.links=2")
        scene.run(milliseconds: 1_000)
        let phones = try (0..<4 as Range<UInt64>).map { try ScriptedPhone($0) }
        for phone in phones {
            #expect(scene.world.connect(phone))
            scene.run(milliseconds: 6_000)
        }
        #expect(phones.map(\.isConnected) == [false, false, true, true])
        #expect(phones.allSatisfy { $0.payloadRead != nil })
        #expect(scene.controller.isAdvertising && scene.controller.advertisingType == 0)
        #expect(scene.world.violations.isEmpty)
    }

    @Test func `HP-C26: no link is evicted before there was time to read and be read`() throws {
        var scene = try Scene("encounters.links=1")
        scene.run(milliseconds: 1_000)
        let phones = [try ScriptedPhone(1), try ScriptedPhone(2)]
        for phone in phones {
            #expect(scene.world.connect(phone))
            scene.run(milliseconds: 1_000)
        }
        #expect(phones.map(\.isConnected) == [true, true])
        // A third phone would find no slot.
        #expect(scene.controller.isAdvertising && scene.controller.advertisingType == 3)
        scene.run(milliseconds: 4_000)
        #expect(phones.map(\.isConnected) == [false, true])
        #expect(scene.controller.isAdvertising && scene.controller.advertisingType == 0)
    }

    @Test func `HP-O04: at the link limit the link with the weakest signal ends, if so configured`() throws {
        var scene = try Scene("encounters.links=3", "encounters.drop_weakest_link=true")
        let phones = try (0..<4 as Range<UInt64>).map { try ScriptedPhone($0) }
        for (phone, dBm) in zip(phones, [-60, -85, -50, -70] as [Int8]) {
            phone.rssiDBm = dBm
            phone.isConnectable = false
        }
        scene.phones = phones
        scene.run(milliseconds: 1_000)
        for phone in phones {
            #expect(scene.world.connect(phone))
            scene.run(milliseconds: 500)
        }
        #expect(phones.map(\.isConnected) == [true, false, true, true])
    }

    @Test func `HP-C26, HP-C23: a peer cannot hold a link for ever by writing to it`() throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let phone = try ScriptedPhone(1)
        phone.readsUs = false
        scene.world.connect(phone)
        for _ in 0..<19 {
            scene.run(milliseconds: 30_000)
            #expect(phone.isConnected)
            try phone.write([UInt8](hex: "02 c8ff"))
        }
        scene.run(milliseconds: 35_000)
        #expect(!phone.isConnected)
    }

    /// Phones that hold links, write to them, and reconnect at once.
    private struct Holders {
        let phones: [ScriptedPhone]
        private var step = 0

        init(_ count: UInt64) throws {
            phones = try (0..<count).map { try ScriptedPhone($0, payload: [0x10, UInt8($0)]) }
            for phone in phones { phone.readsUs = false }
        }

        /// Runs for 30 s. The phones and `others` take turns at being the first to connect.
        mutating func hold(_ scene: inout Scene, besides others: [ScriptedPhone] = []) throws {
            let all = phones + others
            for _ in 0..<3_000 {
                step += 1
                for place in all.indices {
                    let phone = all[(place + step) % all.count]
                    if !phone.isConnected, phone.payloadRead == nil { scene.world.connect(phone) }
                }
                if step % 100 == 0 {
                    for phone in phones where phone.isConnected { try phone.write([0x02, 0xc8, 0xff]) }
                }
                scene.run(milliseconds: 10)
            }
        }
    }

    @Test(arguments: [4, 7] as [UInt64])
    func `HP-C26: phones that hold links and reconnect at once do not keep the board from reading others`(
        _ count: UInt64
    ) throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        var holders = try Holders(count)
        try holders.hold(&scene)
        #expect(holders.phones.count { $0.isConnected } >= 4)
        let seen = try ScriptedPhone(20, payload: [0x10, 20])
        scene.phones = [seen]
        try holders.hold(&scene)
        #expect(seen.linkCount > 0)
        scene.stop()
        let identities = scene.world.medium.entries.compactMap(\.identified).map(\.identityBytes)
        #expect(identities.contains([0x10, 20]))
        #expect(identities.count == Set(identities).count, "everybody once")
        #expect(scene.world.violations.isEmpty)
    }

    @Test(arguments: [4, 7] as [UInt64])
    func `HP-C26: phones that hold links and reconnect at once do not keep others from reading the board`(
        _ count: UInt64
    ) throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        var holders = try Holders(count)
        try holders.hold(&scene)
        #expect(holders.phones.count { $0.isConnected } >= 4)
        let visitor = try ScriptedPhone(21)
        try holders.hold(&scene, besides: [visitor])
        #expect(visitor.payloadRead != nil)
        #expect(scene.world.violations.isEmpty)
    }

    @Test(arguments: [Status.connectionLimitExceeded, .commandDisallowed], [1, 2])
    func `HP-C26: phones that hold all links of a controller with few do not keep others out`(
        _ status: Status, _ limit: Int
    ) throws {
        var scene = try Scene()
        scene.controller.profile.linkLimit = limit
        scene.controller.profile.linkLimitStatus = status
        scene.run(milliseconds: 1_000)
        let holders = try (0..<UInt64(limit)).map { try ScriptedPhone($0) }
        for holder in holders {
            #expect(scene.world.connect(holder))
            scene.run(milliseconds: 1_000)
        }
        scene.run(milliseconds: 5_000)
        #expect(holders.allSatisfy { $0.isConnected })
        #expect(scene.controller.isAdvertising && scene.controller.advertisingType == 3)
        #expect(scene.controller.isScanning)
        scene.run(milliseconds: 26_000)
        #expect(
            holders.count { !$0.isConnected } == 1,
            "one link ends, because otherwise no other phone could connect")
        #expect(scene.controller.isAdvertising && scene.controller.advertisingType == 0)
        let (visitor, seen) = (try ScriptedPhone(8), try ScriptedPhone(9))
        #expect(scene.world.connect(visitor))
        scene.phones = [seen]
        scene.run(milliseconds: 30_000)
        #expect(visitor.payloadRead != nil)
        #expect(seen.linkCount == 1)
        #expect(scene.world.faults.isEmpty)
        #expect(scene.world.violations.isEmpty)
    }

    @Test func `an excess link is ended, not forgotten`() throws {
        var scene = try Scene("encounters.links=1")
        scene.run(milliseconds: 1_000)
        let phones = try (0..<4 as Range<UInt64>).map { try ScriptedPhone($0) }
        for phone in phones { scene.world.forceConnect(from: phone) }
        scene.run(milliseconds: 1_000)
        #expect(phones.filter(\.isConnected).count <= 2, "one more than may stay")
        scene.run(milliseconds: 6_000)
        #expect(phones.filter(\.isConnected).count <= 1)
    }

    @Test func `a controller with room for one connection still advertises and scans beside it`() throws {
        var scene = try Scene()
        scene.controller.profile.isConnectableBesideLinks = false
        scene.run(milliseconds: 1_000)
        let phone = try ScriptedPhone(1)
        scene.world.connect(phone)
        scene.run(milliseconds: 5_000)
        #expect(scene.controller.isAdvertising && scene.controller.advertisingType == 3)
        #expect(scene.controller.isScanning)
        phone.hangUp()
        scene.run(milliseconds: 1_000)
        #expect(scene.controller.isAdvertising && scene.controller.advertisingType == 0)
        #expect(scene.controller.isScanning)
    }
}
