import HCI
import Testing

@Suite struct IncomingLinkTests {
    @Test func thePayloadIsServedAndAdvertisingGoesOn() throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let phone = try TestPhone(1)
        #expect(scene.controller.connectFrom(phone))
        scene.run(milliseconds: 2_000)
        #expect(phone.payloadRead?.hex == "303a03000040e20100")
        #expect(scene.controller.isAdvertising && scene.controller.advertisingType == 0)
        #expect(scene.controller.isScanning)
        #expect(scene.controller.violations.isEmpty)
    }

    @Test("HP-C23: a link to us that is idle is dropped")
    func anIdleLinkIsDropped() throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let phone = try TestPhone(1)
        scene.controller.connectFrom(phone)
        scene.run(milliseconds: 50_000)
        #expect(phone.isConnected)
        scene.run(milliseconds: 15_000)
        #expect(!phone.isConnected)
    }

    @Test("HP-C26: at the limit the oldest link goes")
    func atTheLimitTheOldestLinkGoes() throws {
        var scene = try Scene("encounters.links=2")
        scene.run(milliseconds: 1_000)
        let phones = try (0..<3 as Range<UInt64>).map { try TestPhone($0) }
        for phone in phones {
            // At the limit we do not take connections; one that was under way comes all the same.
            if !scene.controller.connectFrom(phone) { scene.controller.forceConnect(from: phone) }
            scene.run(milliseconds: 500)
        }
        #expect(phones.map(\.isConnected) == [false, true, true])
        #expect(phones.allSatisfy { $0.payloadRead != nil })
    }

    @Test("HP-O04: at the limit the link heard weakest goes, if so configured")
    func atTheLimitTheWeakestLinkGoes() throws {
        var scene = try Scene("encounters.links=3", "encounters.drop_weakest_link=true")
        let phones = try (0..<4 as Range<UInt64>).map { try TestPhone($0) }
        for (phone, dBm) in zip(phones, [-60, -85, -50, -70] as [Int8]) {
            phone.rssiDBm = dBm
            phone.accepts = false
        }
        scene.controller.phones = phones
        scene.run(milliseconds: 1_000)
        for phone in phones {
            if !scene.controller.connectFrom(phone) { scene.controller.forceConnect(from: phone) }
            scene.run(milliseconds: 500)
        }
        #expect(phones.map(\.isConnected) == [true, false, true, true])
    }

    @Test("HP-C26, HP-C23: nobody holds a link for ever, however much is said on it")
    func aTalkativePeerDoesNotKeepItsLink() throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let phone = try TestPhone(1)
        phone.readsUs = false
        scene.controller.connectFrom(phone)
        for _ in 0..<19 {
            scene.run(milliseconds: 30_000)
            #expect(phone.isConnected)
            try phone.write([UInt8](hex: "02 c8ff"))
        }
        scene.run(milliseconds: 35_000)
        #expect(!phone.isConnected)
    }

    @Test func atTheLimitAdvertsSayThatWeTakeNoConnections() throws {
        var scene = try Scene("encounters.links=1")
        scene.run(milliseconds: 1_000)
        let phone = try TestPhone(1)
        scene.controller.connectFrom(phone)
        scene.run(milliseconds: 1_000)
        #expect(scene.controller.isAdvertising && scene.controller.advertisingType == 3)
        if let handle = scene.controller.links.keys.first { scene.controller.drop(handle) }
        scene.run(milliseconds: 1_000)
        #expect(scene.controller.isAdvertising && scene.controller.advertisingType == 0)
        #expect(scene.controller.violations.isEmpty)
    }

    @Test func aLinkThereIsNoRoomForIsEndedAndNotForgotten() throws {
        var scene = try Scene("encounters.links=1")
        scene.run(milliseconds: 1_000)
        let phones = try (0..<4 as Range<UInt64>).map { try TestPhone($0) }
        for phone in phones { scene.controller.forceConnect(from: phone) }
        scene.run(milliseconds: 2_000)
        #expect(phones.filter(\.isConnected).count <= 1)
    }

    @Test func aControllerThatTakesNoConnectionBesideOneStillAdvertisesAndScans() throws {
        var scene = try Scene()
        scene.controller.isConnectableBesideLinks = false
        scene.run(milliseconds: 1_000)
        let phone = try TestPhone(1)
        scene.controller.connectFrom(phone)
        scene.run(milliseconds: 5_000)
        #expect(scene.controller.isAdvertising && scene.controller.advertisingType == 3)
        #expect(scene.controller.isScanning)
        if let handle = scene.controller.links.keys.first { scene.controller.drop(handle) }
        scene.run(milliseconds: 1_000)
        #expect(scene.controller.isAdvertising && scene.controller.advertisingType == 0)
        #expect(scene.controller.isScanning)
    }

    /// A connection comes between the command to stop advertising and its answer.
    @Test func aConnectionWhileAdvertisingIsBeingStoppedDoesNotConfuseUs() throws {
        var scene = try Scene("encounters.links=4")
        let target = try TestPhone(1)
        target.accepts = false
        scene.controller.phones = [target]
        scene.controller.connectsBeforeAdvertisingStops = try TestPhone(2)
        scene.run { world in world.controller.connectingTo != nil }
        #expect(scene.controller.violations.isEmpty)
        let stops = zip(scene.controller.commands, scene.controller.parameters).filter {
            $0 == .leSetAdvertisingEnable && $1 == [0]
        }
        #expect(stops.count == 1)
        scene.run(milliseconds: 30_000)
        #expect(scene.controller.isAdvertising || scene.controller.connectingTo != nil)
        target.isAway = true
        scene.run(milliseconds: 20_000)
        #expect(scene.controller.isAdvertising && scene.controller.isScanning)
        #expect(scene.controller.violations.isEmpty)
    }

    /// HP-C06.
    @Test func aPhoneThatOnlyWritesIsAnEncounter() throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let phone = try TestPhone(1)
        phone.readsUs = false
        scene.controller.connectFrom(phone)
        try phone.write([UInt8](hex: "01 0500 10aabbccdd"))
        scene.run(milliseconds: 2_000)
        try phone.write([UInt8](hex: "02 c8ff"))
        scene.run(milliseconds: 2_000)
        scene.stop()
        let entries = scene.world.medium.entries
        #expect(entries.compactMap(\.opened).map(\.foundBy) == [.connectedToUs])
        #expect(entries.compactMap(\.identified).map(\.identityBytes.hex) == ["10aabbccdd"])
        #expect(entries.compactMap(\.sample).map(\.maximumRSSIDBm) == [-56])
    }

    @Test func aReadingOutOfRangeIsNone() throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let phone = try TestPhone(1)
        phone.readsUs = false
        scene.controller.connectFrom(phone)
        for value in ["02 7f00", "02 ff7f", "02 0080", "02 1500"] {
            try phone.write([UInt8](hex: value))
            scene.run(milliseconds: 500)
        }
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.opened).isEmpty)
    }

    @Test("HP-C12, HP-C03: a disconnection that is never reported does not keep a link")
    func aDisconnectThatIsNeverReportedLeadsToAReset() throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let phone = try TestPhone(1)
        scene.controller.connectFrom(phone)
        scene.controller.forgetsDisconnections = true
        scene.run(milliseconds: 120_000)
        #expect(scene.world.hasLogged("a disconnected link never ended"))
    }

    @Test func aLinkTheControllerKnowsNothingOfIsForgotten() throws {
        var scene = try Scene("encounters.links=1")
        scene.run(milliseconds: 1_000)
        let phone = try TestPhone(1)
        scene.controller.connectFrom(phone)
        scene.run(milliseconds: 500)
        scene.controller.loseLinks()
        scene.run(milliseconds: 65_000)
        #expect(scene.controller.isAdvertising && scene.controller.advertisingType == 0)
        #expect(!scene.world.hasLogged("radio down"))
    }
}
