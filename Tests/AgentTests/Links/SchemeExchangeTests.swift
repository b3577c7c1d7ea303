import EncounterLog
import FixedMemory
import GATT
import HCI
import Peers
import Protocols
import Schemes
import TestSupport
import Testing

/// Tests how the whole agent reads phones with Sonar, CovidTracer and BLE-Proximity.
@Suite struct SchemeExchangeTests {
    private static let everything = [
        "schemes.sonar=listen", "schemes.covid_tracer=listen", "schemes.ble_proximity=listen",
    ]
    /// 2026-11-22 15:00 UTC.
    private static let now: UInt64 = 1_795_359_600

    @Test func `One link reads Herald and every scheme, and the log has scheme, time and RSSI`() throws {
        let payload = try sonarPayload(at: Self.now)
        let phone = try ScriptedPhone(
            1,
            schemes: [
                .init(.bleProximity, [1, 2, 3, 4, 5, 6, 7, 8]), .init(.sonar, payload),
                .init(.covidTracer, [UInt8](repeating: 7, count: 20)),
            ], herald: [0x10, 9, 8], advert: ScriptedPhone.heraldAdvert)
        var scene = try scene(Self.everything, phone)
        scene.run(milliseconds: 60_000)
        #expect(phone.linkCount == 1)
        #expect(phone.requests.count { $0.first == 0x02 } == 1, "the MTU is asked for once")
        scene.stop()
        let entries = scene.world.medium.entries
        let identified = entries.compactMap(\.identified)
        #expect(identified.map(\.scheme.id) == [.herald, .sonar, .covidTracer, .bleProximity])
        #expect(identified[1].identityBytes == payload)
        #expect(identified.allSatisfy { $0.marks == .none })
        #expect(entries.compactMap(\.opened).count == 1)
        #expect(entries.compactMap(\.sample).allSatisfy { $0.minimumRSSIDBm == -60 })
        #expect(scene.world.violations.isEmpty)
    }

    @Test(
        arguments: [
            (SchemeService.sonar, "1107219bded686bb2e8ec84a94fa3c98f5c1", PeerHint.sonar),
            (.covidTracer, "1107ed7a41af69dab385b848d69e4074fc22", .covidTracer),
            (.bleProximity, "1107f91ae0661c737490f74ad6658e29998e", .bleProximity),
            (.sonar, "02011a14ff4c000100000000000000000040000000000000", .appleOverflow),
            (.covidTracer, "02011a", .emptyAdvert), (.covidTracer, "", .emptyAdvert),
        ] as [(SchemeService, String, PeerHint)])
    func `A phone without Herald is found and read`(scheme: SchemeService, advert: String, hint: PeerHint)
        throws
    {
        let said =
            scheme.scheme == .sonar
            ? try sonarPayload(at: Self.now) : [UInt8](repeating: 7, count: scheme.byteCount)
        let phone = try ScriptedPhone(1, schemes: [.init(scheme, said)], advert: [UInt8](hex: advert))
        var scene = try scene(Self.everything, phone)
        scene.run(milliseconds: 60_000)
        scene.stop()
        let entries = scene.world.medium.entries
        #expect(entries.compactMap(\.opened).map(\.foundBy) == [hint])
        #expect(entries.compactMap(\.identified).map(\.scheme.id) == [scheme.scheme])
        #expect(entries.compactMap(\.identified).map(\.identityBytes) == [said])
        #expect(phone.linkCount == 1)
    }

    @Test func `An unsupported peer with an empty advert is read once and not logged`() throws {
        let phone = try ScriptedPhone(1, schemes: [], advert: [])
        var scene = try scene(Self.everything, phone)
        scene.run(milliseconds: 120_000)
        scene.stop()
        #expect(phone.linkCount == 1)
        #expect(scene.world.medium.entries.compactMap(\.opened).isEmpty)
    }

    @Test(
        arguments: [(nil, -85, 1), (nil, -86, 0), (-60, -60, 1), (-60, -61, 0)] as [(Int8?, Int8, Int)])
    func `An empty advert weaker than the setting leads to no connection`(
        setting: Int8?, rssiDBm: Int8, linkCount: Int
    ) throws {
        let phone = try ScriptedPhone(
            1, schemes: [.init(.covidTracer, [UInt8](repeating: 7, count: 20))], advert: [])
        phone.rssiDBm = rssiDBm
        var assignments = Self.everything
        if let setting { assignments.append("schemes.covid_tracer_probe_dbm=\(setting)") }
        var scene = try scene(assignments, phone)
        scene.run(milliseconds: 60_000)
        #expect(phone.linkCount == linkCount)
    }

    @Test(arguments: [131, 130, 23] as [UInt16])
    func
        `A peer that ignores read offsets is read if its MTU suffices, and refused otherwise`(
            mtu: UInt16
        ) throws
    {
        let payload = try sonarPayload(at: Self.now)
        let phone = try sonarPhone(payload)
        phone.ignoresOffsets = true
        phone.maximumMTU = mtu
        var scene = try scene(Self.everything, phone)
        scene.run(milliseconds: 30_000)
        scene.stop()
        let entries = scene.world.medium.entries
        #expect(entries.compactMap(\.identified).map(\.identityBytes) == (mtu > 23 ? [payload] : []))
        #expect(entries.compactMap(\.refused).map(\.reason) == (mtu > 23 ? [] : [.wrongLength]))
    }

    @Test(arguments: [nil, []] as [[UInt8]?])
    func `A phone that is not registered yet is read again later`(said: [UInt8]?) throws {
        let phone = try sonarPhone(said)
        var scene = try scene(Self.everything, phone)
        scene.run(milliseconds: 20_000)
        #expect(phone.linkCount > 1)
        #expect(scene.world.medium.entries.compactMap(\.refused).isEmpty)
        let payload = try sonarPayload(at: scene.world.now / .seconds(1) + Self.now)
        phone.schemeValues = [payload]
        scene.run(milliseconds: 60_000)
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.identified).map(\.identityBytes) == [payload])
    }

    @Test func `A phone that connected before it was heard is read over its own link`() throws {
        let payload = try sonarPayload(at: Self.now)
        let phone = try sonarPhone(payload)
        var scene = try scene(Self.everything, phone)
        scene.phones = []
        scene.run(milliseconds: 1_000)
        scene.world.connect(phone)
        scene.run(milliseconds: 1_000)
        #expect(phone.requests.isEmpty)
        scene.phones = [phone]
        scene.run(milliseconds: 10_000)
        #expect(phone.isConnected && phone.linkCount == 1)
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.identified).map(\.identityBytes) == [payload])
        #expect(scene.world.violations.isEmpty)
    }

    @Test func `A phone that cannot answer yet is read again over its own link, with growing pauses`() throws
    {
        let phone = try sonarPhone([])
        phone.accepts = false
        var scene = try scene(Self.everything, phone)
        scene.run(milliseconds: 1_000)
        scene.world.forceConnect(from: phone)
        scene.run(milliseconds: 20_000)
        #expect(phone.isConnected)
        #expect((2...5).contains(phone.requests.count { $0.first == 0x0a }), "reads")
        let payload = try sonarPayload(at: Self.now + 20)
        phone.schemeValues = [payload]
        scene.run(milliseconds: 30_000)
        #expect(phone.isConnected && phone.linkCount == 1)
        #expect(phone.requests.count { $0.first == 0x02 } == 1, "a link's MTU is exchanged once")
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.identified).map(\.identityBytes) == [payload])
    }

    @Test func `An invalid identity is refused with a reason, logged and counted`() throws {
        let payload = try sonarPayload(at: Self.now)
        var (offCurve, noCountry) = (payload, payload)
        offCurve[40] ^= 1
        noCountry[0] = 0x47
        let cases: [(SchemeService, [UInt8], IdentityRefusal)] = [
            (.sonar, [UInt8](payload.dropLast()), .wrongLength), (.sonar, offCurve, .notOnCurve),
            (.sonar, noCountry, .noCountry), (.sonar, try sonarPayload(at: Self.now - 700), .notOfNow),
            (.covidTracer, [UInt8](repeating: 1, count: 19), .wrongLength),
            (.covidTracer, [UInt8](repeating: 0, count: 20), .nobody),
            (.bleProximity, [UInt8](repeating: 1, count: 7), .wrongLength),
        ]
        for (scheme, said, reason) in cases {
            let phone = try ScriptedPhone(1, schemes: [.init(scheme, said)], advert: Self.sonarAdvert)
            var scene = try scene(Self.everything, phone)
            scene.run(milliseconds: 30_000)
            scene.stop()
            let entries = scene.world.medium.entries
            #expect(entries.compactMap(\.identified).isEmpty)
            let refused = entries.compactMap(\.refused)
            #expect(refused.map(\.reason) == [reason])
            #expect(refused.map { $0.bytes.span.array } == [said])
            #expect(refused.first?.encounter == entries.compactMap(\.opened).first?.encounter)
            #expect(phone.linkCount == 1)
        }
    }

    @Test func `Without a clock, Sonar's time is logged as unchecked`() throws {
        let phone = try sonarPhone(try sonarPayload(at: 1))
        var scene = try Scene(options: Self.everything)
        scene.phones = [phone]
        scene.run(milliseconds: 30_000)
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.identified).map(\.marks) == [.timeUnchecked])
    }

    @Test func `With the other schemes off, the board reads only Herald from a phone with several`() throws {
        let phone = try ScriptedPhone(
            1, schemes: [.init(.covidTracer, [UInt8](repeating: 7, count: 20))], herald: [0x10, 9, 8],
            advert: ScriptedPhone.heraldAdvert)
        var scene = try scene([], phone)
        scene.run(milliseconds: 30_000)
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.identified).map(\.scheme.id) == [.herald])
        #expect(phone.requests.count { $0.first == 0x06 } == 1)
    }

    @Test(arguments: [
        (now, 20_000, 900_000, "after a quarter of an hour"), (now - 240, 240_000, 40_000, "after the hour"),
    ])
    func `The board reads a phone's next CovidTracer key`(
        seconds: UInt64, milliseconds: UInt64, laterMilliseconds: UInt64, when: String
    ) throws {
        let first = [UInt8](repeating: 7, count: 20)
        let second = [UInt8](repeating: 8, count: 20)
        let phone = try ScriptedPhone(1, schemes: [.init(.covidTracer, first)], advert: [])
        var scene = try scene(Self.everything, phone, at: seconds)
        scene.run(milliseconds: milliseconds)
        phone.schemeValues = [second]
        scene.run(milliseconds: laterMilliseconds)
        scene.stop()
        #expect(phone.linkCount == 2, "\(when)")
        #expect(scene.world.medium.entries.compactMap(\.identified).map(\.identityBytes) == [first, second])
    }

    // MARK: -

    private static let sonarAdvert = [UInt8](hex: "1107219bded686bb2e8ec84a94fa3c98f5c1")

    private func sonarPhone(_ said: [UInt8]?) throws -> ScriptedPhone {
        try ScriptedPhone(1, schemes: [.init(.sonar, said)], advert: Self.sonarAdvert)
    }

    private func scene(
        _ options: [String], _ phone: ScriptedPhone, at seconds: UInt64 = now
    ) throws -> Scene {
        let world = BoardWorld()
        world.wallOffset = seconds * 1000 - world.now.milliseconds
        let scene = try Scene(options: options, in: world)
        world.phones = [phone]
        return scene
    }

    /// Makes a Sonar payload with a valid point of the curve.
    private func sonarPayload(at seconds: UInt64) throws -> [UInt8] {
        var bytes: [UInt8] = [0x03, 0x3a]
        bytes += [UInt8](
            hex: "373c625fb9d728d2a13f68154b4d57d38b0237c7b816813e7d7a261c40d1abf1"
                + "9f5054033ab40beceec90deea6d3d9f34572f123061bdc6af8d7643926f21ee4")
        bytes += [UInt8](repeating: 5, count: 42) + [0xf9]
        bytes += (0..<4).reversed().map { UInt8(truncatingIfNeeded: seconds >> (8 * $0)) }
        return bytes + [UInt8](repeating: 6, count: 16)
    }
}
