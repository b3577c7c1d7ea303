import HCI
import Testing

@Suite struct IncomingLinkTests {
    @Test func `HP-C24: a phone that connects reads the payload while scanning and advertising continue`()
        throws
    {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let phone = try ScriptedPhone(1)
        #expect(scene.world.connect(phone))
        scene.run(milliseconds: 2_000)
        #expect(phone.payloadRead?.hex == "303a03000040e20100")
        #expect(scene.controller.isAdvertising && scene.controller.advertisingType == 0)
        #expect(scene.controller.isScanning)
        #expect(scene.world.violations.isEmpty)
    }

    @Test func `each of two peers that request encryption at once gets the answer that there is no key`()
        throws
    {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        for number in 1...2 as ClosedRange<UInt64> {
            #expect(scene.world.connect(try ScriptedPhone(number)))
            scene.run(milliseconds: 2_000)
        }
        // While a command is pending, the board can answer neither request.
        scene.script.set(.ignore, to: .leSetAdvertisingEnable)
        let count = scene.controller.commands.count
        scene.run { $0.controller.commands.dropFirst(count).contains(.leSetAdvertisingEnable) }
        for handle in scene.controller.linkHandles {
            let bytes = [UInt8(handle & 255), UInt8(handle >> 8)]
            scene.controller.injectEvent(0x3e, [5] + bytes + [UInt8](repeating: 0, count: 10))
        }
        scene.run(milliseconds: 100)
        scene.script.endAll()
        scene.controller.performIgnored()
        scene.run(milliseconds: 1_000)
        let told = zip(scene.controller.commands, scene.controller.parameters).dropFirst(count)
            .filter { $0.0 == .leLongTermKeyRequestNegativeReply }
        #expect(told.count == 2 && Set(told.map { $0.1 }).count == 2)
    }

    @Test func `HP-C23: the board ends an idle incoming link after about a minute`() throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let phone = try ScriptedPhone(1)
        scene.world.connect(phone)
        scene.run(milliseconds: 50_000)
        #expect(phone.isConnected)
        scene.run(milliseconds: 15_000)
        #expect(!phone.isConnected)
    }

    /// A phone connects between the command to stop advertising and its answer.
    @Test func `the board copes with a connection while it stops advertising`() throws {
        var scene = try Scene("encounters.links=4")
        let target = try ScriptedPhone(1)
        target.accepts = false
        scene.phones = [target]
        scene.world.connect(try ScriptedPhone(2), beforeDisabling: .leSetAdvertisingEnable)
        scene.run { world in world.controller.connectingTo != nil }
        #expect(scene.world.violations.isEmpty)
        let stops = zip(scene.controller.commands, scene.controller.parameters).filter {
            $0 == .leSetAdvertisingEnable && $1 == [0]
        }
        #expect(stops.count == 1)
        scene.run(milliseconds: 30_000)
        #expect(scene.controller.isAdvertising || scene.controller.connectingTo != nil)
        target.isAway = true
        scene.run(milliseconds: 20_000)
        #expect(scene.controller.isAdvertising && scene.controller.isScanning)
        #expect(scene.world.violations.isEmpty)
    }

    @Test func `HP-C06, HP-C09: a phone that only writes its payload and an RSSI is an encounter`() throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let phone = try ScriptedPhone(1)
        phone.readsUs = false
        scene.world.connect(phone)
        try phone.write([UInt8](hex: "01 0400 10010203"))
        scene.run(milliseconds: 2_000)
        try phone.write([UInt8](hex: "02 c8ff"))
        scene.run(milliseconds: 2_000)
        scene.stop()
        let entries = scene.world.medium.entries
        #expect(entries.compactMap(\.opened).map(\.foundBy) == [.connectedToUs])
        #expect(entries.compactMap(\.identified).map(\.identityBytes.hex) == ["10010203"])
        #expect(entries.compactMap(\.identified).first?.marks == .written)
        let details = entries.compactMap(\.peerDetails).filter { $0.detail == .writtenRSSI }
        #expect(details.map { Int8(bitPattern: $0.value[0]) } == [-56])
        #expect(entries.compactMap(\.sample).isEmpty, "the board has measured nothing")
    }

    @Test func `an RSSI written out of range is ignored`() throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let phone = try ScriptedPhone(1)
        phone.readsUs = false
        scene.world.connect(phone)
        for value in ["02 7f00", "02 ff7f", "02 0080", "02 1500"] {
            try phone.write([UInt8](hex: value))
            scene.run(milliseconds: 500)
        }
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.opened).isEmpty)
    }

    @Test func `HP-C12, HP-C03: a disconnection that is never reported leads to a reset`() throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let phone = try ScriptedPhone(1)
        scene.world.connect(phone)
        scene.controller.faults.begin(.untoldEndings)
        scene.run(milliseconds: 120_000)
        #expect(scene.world.faults.contains(.stuckLink))
    }

    @Test func `HP-C12: an outgoing link whose end is never reported leads to a reset within 30 s`() throws {
        var scene = try Scene()
        let controller = scene.controller
        controller.faults.begin(.untoldEndings)
        scene.phones = [try ScriptedPhone(1)]
        scene.run { _ in controller.commands.contains(.disconnect) }
        #expect(!scene.world.faults.contains(.stuckLink))
        scene.run(milliseconds: 16_000)
        #expect(scene.world.faults.contains(.stuckLink))
    }

    /// A controller may wait for the peer as long as the supervision timeout. The agent waits 8 s more, and
    /// at least 15 s in all.
    @Test(
        arguments: [
            (500, nil, 15_000), (2_000, nil, 28_000), (3_200, nil, 40_000), (500, 2_000, 28_000),
            (3_200, 100, 15_000),
        ] as [(UInt64, UInt64?, UInt64)])
    func `The agent waits for the end of an incoming link until its supervision timeout is over`(
        tens: UInt64, later: UInt64?, milliseconds: UInt64
    ) throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let controller = scene.controller
        controller.faults.begin(.untoldEndings)
        let phone = try ScriptedPhone(1)
        phone.supervisionTens = tens
        scene.world.connect(phone)
        if let later { scene.world.update(phone, supervisionTens: later) }
        // The idle timeout of an incoming link can be longer than one such run, a minute.
        for _ in 0..<2 { scene.run { _ in controller.commands.contains(.disconnect) } }
        #expect(controller.commands.contains(.disconnect))
        scene.run(milliseconds: milliseconds - 500)
        #expect(!scene.world.faults.contains(.stuckLink))
        scene.run(milliseconds: 1_000)
        #expect(scene.world.faults.contains(.stuckLink))
    }

    @Test func `HP-C24: scanning restarts at once on a controller that stops it at a connection`() throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        scene.controller.faults.begin(.rolesStoppedByConnection)
        let phone = try ScriptedPhone(1)
        #expect(scene.world.connect(phone))
        scene.run(milliseconds: 1_000)
        #expect(phone.isConnected)
        #expect(scene.controller.isScanning && scene.controller.isAdvertising)
        #expect(scene.world.violations.isEmpty)
    }

    @Test func `HP-C03, HP-C12: the board forgets a link that its controller no longer knows`() throws {
        var scene = try Scene("encounters.links=1")
        scene.run(milliseconds: 1_000)
        let phone = try ScriptedPhone(1)
        scene.world.connect(phone)
        scene.run(milliseconds: 500)
        scene.controller.loseLinks()
        scene.run(milliseconds: 65_000)
        #expect(scene.controller.isAdvertising && scene.controller.advertisingType == 0)
        scene.run(milliseconds: 55_000)
        #expect(!scene.world.hasHardFault)
        #expect(!scene.world.faults.contains(.stuckLink))
    }
}
