import FixedMemory
import HCI
import Testing

@Suite struct ExchangeTests {
    @Test func `HP-C21, HP-C22, HP-C23, HP-C32, X3: a peer is read once; its encounter outlives the link`()
        throws
    {
        var scene = try Scene()
        let phone = try ScriptedPhone(1, payload: [0x10, 9, 8, 7])
        scene.phones = [phone]
        scene.run { _ in phone.linkCount > 0 }
        scene.run { _ in !phone.isConnected }
        #expect(scene.controller.isScanning || scene.controller.connectingTo == nil)
        scene.run(milliseconds: 60_000)
        #expect(phone.linkCount == 1)
        #expect(scene.controller.isScanning && scene.controller.isAdvertising)
        #expect(scene.world.violations.isEmpty)
        scene.stop()
        let entries = scene.world.medium.entries
        #expect(entries.compactMap(\.opened).map(\.address) == [phone.address.bytes])
        #expect(entries.compactMap(\.identified).map(\.identityBytes) == [[0x10, 9, 8, 7]])
        #expect(entries.compactMap(\.sample).count >= 7)
    }

    @Test func `X8: devices that serve the board's own payload are counted, and reported once an hour`()
        throws
    {
        var scene = try Scene()
        scene.run(milliseconds: 3_000)
        let reader = try ScriptedPhone(1)
        let isConnected = scene.world.connect(reader)
        try #require(isConnected)
        scene.run { _ in reader.payloadRead != nil }
        let ours = try #require(reader.payloadRead)
        scene.phones = [try ScriptedPhone(2, payload: [0x10, 3])]
        scene.run(milliseconds: 20_000)
        let before = try scene.duplicatesReported()
        #expect(before == (0, 0))
        scene.phones += [try ScriptedPhone(3, payload: ours), try ScriptedPhone(4, payload: ours)]
        scene.run(milliseconds: 60_000)
        let after = try scene.duplicatesReported()
        #expect(after == (2, 1))
    }

    @Test func `scanning and advertising stop before a connection attempt`() throws {
        var scene = try Scene()
        let phone = try ScriptedPhone(1)
        scene.phones = [phone]
        scene.run { _ in phone.linkCount > 0 }
        let commands = scene.controller.commands
        let connect = try #require(commands.firstIndex(of: .leCreateConnection))
        #expect(commands[(connect - 2)..<connect] == [.leSetScanEnable, .leSetAdvertisingEnable])
        #expect(scene.world.violations.isEmpty)
    }

    @Test(arguments: [1, 21, 22, 129, 512])
    func `payloads of every length are read`(_ byteCount: Int) throws {
        var scene = try Scene()
        let payload = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0) }
        let phone = try ScriptedPhone(1, payload: payload)
        scene.phones = [phone]
        scene.run(milliseconds: 10_000)
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.identified).map(\.identityBytes) == [payload])
        #expect(scene.world.violations.isEmpty)
    }

    @Test(arguments: [
        ScriptedPhone.MTUManners.refuses(.requestNotSupported), .refuses(.unlikelyError),
        .refuses(.invalidPDU), .isSilent,
    ])
    func `HP-C01: a phone that refuses the MTU exchange is read with an MTU of 23`(
        _ manners: ScriptedPhone.MTUManners
    ) throws {
        var scene = try Scene()
        let payload = [UInt8](10..<110)
        let phone = try ScriptedPhone(1, payload: payload)
        phone.mtuManners = manners
        scene.phones = [phone]
        scene.run(milliseconds: 20_000)
        #expect(phone.linkCount == (manners == .isSilent ? 2 : 1), "over the next link it is not asked")
        #expect(phone.requests.count { $0.first == 0x02 } == 1)
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.identified).map(\.identityBytes) == [payload])
    }

    @Test func `HP-C21, HP-C25: twenty peers are read once each within 40 s`() throws {
        var scene = try Scene()
        let phones = try (0..<20 as Range<UInt64>).map { try ScriptedPhone($0, payload: [0x10, UInt8($0)]) }
        scene.phones = phones
        scene.run(milliseconds: 40_000)
        #expect(phones.allSatisfy { $0.linkCount == 1 })
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.identified).count == 20)
        #expect(scene.world.violations.isEmpty)
    }

    @Test func `HP-C20, T12: an unsupported peer is disconnected, left alone for minutes, and not logged`()
        throws
    {
        var scene = try Scene()
        let overflow = [UInt8](hex: "02011a14ff4c000100000000000000000000200000000000")
        let stranger = try ScriptedPhone(1, advert: overflow)
        stranger.hasHerald = false
        scene.phones = [stranger]
        scene.run(milliseconds: 50_000)
        #expect(stranger.linkCount == 1)
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.opened).isEmpty)
    }

    @Test func `HP-C20, T12: an iPhone in the background is found by its overflow mask and read`() throws {
        var scene = try Scene()
        let overflow = [UInt8](hex: "02011a14ff4c000100000000000000000000200000000000")
        let phone = try ScriptedPhone(1, payload: [0x10, 5], advert: overflow)
        scene.phones = [phone]
        scene.run(milliseconds: 20_000)
        scene.stop()
        let entries = scene.world.medium.entries
        #expect(entries.compactMap(\.opened).map(\.foundBy) == [.appleOverflow])
        #expect(entries.compactMap(\.identified).map(\.identityBytes) == [[0x10, 5]])
    }

    @Test func `HP-C03: the board tries a peer again that vanished during a read`() throws {
        var scene = try Scene()
        let phone = try ScriptedPhone(1)
        phone.isMute = true
        scene.phones = [phone]
        scene.run { _ in phone.linkCount == 1 }
        phone.hangUp()
        phone.isMute = false
        scene.run { _ in phone.linkCount == 2 }
        scene.run(milliseconds: 5_000)
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.identified).count == 1)
    }

    @Test func `HP-C12, HP-C03: the board ends a link to a silent peer`() throws {
        var scene = try Scene()
        let phone = try ScriptedPhone(1)
        phone.isMute = true
        scene.phones = [phone]
        scene.run { _ in phone.linkCount == 1 }
        scene.run(milliseconds: 16_000)
        #expect(scene.controller.commands.contains(.disconnect))
        #expect(!phone.isConnected || phone.linkCount > 1)
    }

    @Test func `the board never overruns the controller's ACL buffers`() throws {
        var scene = try Scene()
        let phones = try (0..<3 as Range<UInt64>).map {
            try ScriptedPhone($0, payload: [UInt8](repeating: 7, count: 200))
        }
        scene.phones = phones
        scene.script.holdsCredits = true
        for _ in 0..<3_000 {
            scene.run(milliseconds: 10)
            scene.controller.releaseCredits()
        }
        #expect(phones.allSatisfy { $0.linkCount >= 1 })
        #expect(scene.world.violations.isEmpty)
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.identified).count == 3)
    }

    @Test func `the buffer credits of a lost link come back`() throws {
        var scene = try Scene()
        let phone = try ScriptedPhone(1)
        scene.phones = [phone]
        scene.script.holdsCredits = true
        scene.run { _ in phone.linkCount == 1 }
        scene.run(milliseconds: 100)
        phone.hangUp()
        scene.script.holdsCredits = false
        scene.run(milliseconds: 30_000)
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.identified).count == 1)
        #expect(scene.world.violations.isEmpty)
    }

    /// Makes one phone under `count` successive addresses.
    private func turns(_ count: UInt64, payload: [UInt8], advert: [UInt8]) throws -> [ScriptedPhone] {
        try (0..<count).map { try ScriptedPhone(9_000 + $0, payload: payload, advert: advert) }
    }

    @Test
    func
        `HP-C14, HP-C21: a phone with a new address every 5 s but one pseudo address is read once, and a minute later`()
        throws
    {
        for pseudoAddress in ["09fff105720b815ac007", "09fffaff720b815ac007"] {
            var scene = try Scene()
            let phones = try turns(
                24, payload: [0x10, 4, 2], advert: [UInt8](hex: "02011a0303f6fc" + pseudoAddress))
            for phone in phones {
                scene.phones = [phone]
                scene.run(milliseconds: 5_000)
            }
            #expect(phones.reduce(0) { $0 + $1.linkCount } == 2, "again a minute after its first move")
            scene.run(milliseconds: 40_000)
            scene.stop()
            let entries = scene.world.medium.entries
            #expect(entries.compactMap(\.opened).count == 1)
            #expect(entries.compactMap(\.identified).count == 1)
            #expect(scene.world.violations.isEmpty)
        }
    }
}

extension Scene {
    /// The number of duplicate identities in the status, and the number of notices about them.
    fileprivate mutating func duplicatesReported() throws -> (UInt32, Int) {
        let noticeCount = world.notices.count { $0 == .identityDuplicated(.beacon) }
        return (try boardStatus().duplicateIdentityCount, noticeCount)
    }
}
