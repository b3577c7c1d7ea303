import Agent
import Cryptography
import EncounterLog
import FixedMemory
import GATT
import HCI
import Peers
import Protocols
import Schemes
import TestSupport
import Testing

@testable import Radio

/// Tests the agent's own identities in schemes other than Herald: values, addresses and log entries.
@Suite struct OwnSchemeTests {
    /// 2026-03-01, 10:59:30 UTC.
    private static let nearlyEleven: UInt64 = 1_772_362_770
    private static let root = CovidTracerRootKey(Bytes(repeating: 7))

    private static func world(at seconds: UInt64?) -> BoardWorld {
        let world = BoardWorld()
        world.wallOffset = seconds.map { $0 * 1_000 &- world.now.milliseconds }
        world.store.covidTracerRoot = root
        return world
    }

    @Test func `A beacon keeps its address, and has a new BLE-Proximity identity each period`() throws {
        var scene = try Scene(
            "schemes.ble_proximity=on", "schemes.ble_proximity_period_minutes=1", in: Self.world(at: nil))
        scene.run(milliseconds: 2_000)
        let address = scene.controller.randomAddress
        var read: [[UInt8]] = []
        for number in 0..<3 as Range<UInt64> {
            let identity = try scene.read(.bleProximity, by: number)
            read.append(try #require(identity))
            scene.run(milliseconds: 60_000)
        }
        #expect(Set(read).count == 3)
        #expect(scene.controller.randomAddress == address)
        #expect(scene.world.violations.isEmpty)
        scene.stop()
        #expect(scene.logged(.bleProximity).prefix(3) == read[...])
        #expect(scene.logged(.herald).count == 1)
    }

    @Test func `Advertising slots change the data without stopping advertising`() throws {
        var scene = try Scene("schemes.ble_proximity=on")
        scene.run(milliseconds: 3_000)
        let count = scene.controller.commands.count
        var adverts: Set<String> = []
        for _ in 0..<60 {
            scene.run(milliseconds: 100)
            #expect(scene.controller.isAdvertising)
            adverts.insert(scene.controller.advertisingData.hex)
        }
        #expect(
            adverts == [
                "0201060303f6fc11079bfd5bd672451e80d3424647af328142020a08",
                "0201060303f6fc1107f91ae0661c737490f74ad6658e29998e020a08",
            ])
        let data = OpCode.leSetAdvertisingData
        #expect(Array(scene.controller.commands[count...]) == [data, data, data, data])
    }

    @Test func `If a controller refuses data while advertising, advertising is stopped for the change`()
        throws
    {
        var scene = try Scene("schemes.ble_proximity=on")
        scene.run(milliseconds: 3_000)
        scene.script.set(.refuse(.commandDisallowed), to: .leSetAdvertisingData, times: 1)
        scene.run(milliseconds: 3_400)
        let count = scene.controller.commands.count
        scene.run(milliseconds: 3_000)
        let turn: [OpCode] = [
            .leSetAdvertisingEnable, .leSetAdvertisingParameters, .leSetAdvertisingData,
            .leSetAdvertisingEnable,
        ]
        #expect(Array(scene.controller.commands[count...]) == turn + turn)
        #expect(scene.controller.isAdvertising && scene.controller.isScanning)
    }

    @Test func `Advertising data that is refused once and then accepted is not a fault`() throws {
        var scene = try Scene("schemes.ble_proximity=on")
        scene.run(milliseconds: 33_500)
        let again = scene.controller.commands.count { $0 == .leSetAdvertisingEnable }
        scene.run { $0.controller.commands.count { $0 == .leSetAdvertisingEnable } > again }
        scene.script.set(.refuse(Status(rawValue: 0x1f)), to: .leSetAdvertisingData, times: 1)
        scene.run(milliseconds: 20_000)
        #expect(scene.radioStatus.lastFault == nil)
    }

    @Test func `On a wearable the hourly identifier changes together with Herald's and the address`() throws {
        var scene = try Scene(
            "agent.role=wearable", "schemes.covid_tracer=on", in: Self.world(at: Self.nearlyEleven))
        scene.run(milliseconds: 5_000)
        let before = scene.controller.randomAddress
        let first = try scene.read(.covidTracer, by: 1)
        #expect(try first == Self.identifier(at: Self.nearlyEleven))
        var addresses = [before]
        for _ in 0..<400 {
            scene.run(milliseconds: 100)
            if scene.controller.randomAddress != addresses.last {
                addresses.append(scene.controller.randomAddress)
            }
        }
        #expect(addresses.count == 2)
        #expect(scene.controller.randomAddress != before)
        let second = try scene.read(.covidTracer, by: 2)
        #expect(try second == Self.identifier(at: Self.nearlyEleven + 40))
        #expect(scene.world.violations.isEmpty)
    }

    @Test func `A link from before a change reads the old identity, and ends soon after`() throws {
        var scene = try Scene(
            "agent.role=wearable", "schemes.covid_tracer=on", in: Self.world(at: Self.nearlyEleven))
        scene.run(milliseconds: 25_000)
        let phone = try ScriptedPhone(1)
        #expect(scene.world.connect(phone))
        scene.run(milliseconds: 8_000)
        phone.look(for: SchemeService.covidTracer.ownSearch)
        scene.run { _ in phone.payloadRead != nil }
        #expect(try phone.payloadRead == Self.identifier(at: Self.nearlyEleven))
        scene.run(milliseconds: 12_000)
        #expect(!phone.isConnected)
    }

    @Test func `Without the time, a wearable has and advertises only a BLE-Proximity identity`()
        throws
    {
        let world = Self.world(at: nil)
        world.sonarRegistration = try Self.registration()
        var scene = try Scene(
            options: [
                "agent.role=wearable", "schemes.covid_tracer=on", "schemes.sonar=on",
                "schemes.ble_proximity=on",
            ], in: world)
        scene.run(milliseconds: 5_000)
        #expect(scene.controller.isAdvertising)
        #expect(
            scene.controller.advertisingData.hex == "0201061107f91ae0661c737490f74ad6658e29998e020a08")
        let read = (
            try scene.read(.covidTracer, by: 1), try scene.read(.sonar, by: 2),
            try scene.read(.bleProximity, by: 3)
        )
        #expect(read.0?.isEmpty == true && read.1?.isEmpty == true && read.2?.count == 8)
    }

    @Test func `The authority resolves Sonar's answers, and no two are alike`() throws {
        let world = Self.world(at: Self.nearlyEleven)
        world.sonarRegistration = try Self.registration()
        var scene = try Scene("schemes.sonar=on", "radio.tx_power_dbm=-7", in: world)
        scene.run(milliseconds: 3_000)
        var answers: [SonarPayload] = []
        for number in 0..<2 as Range<UInt64> {
            let bytes = try scene.read(.sonar, by: number) ?? []
            answers.append(try Sonar.read(bytes.span))
            scene.run(milliseconds: 2_000)
        }
        #expect(answers[0].broadcast == answers[1].broadcast)
        #expect(answers[0].auth != answers[1].auth && answers[0].txPowerDBm == -7)
        var resolver = try SonarResolver(scalar: Self.authorityScalar, entropy: .system)
        let secret = Bytes<32>(repeating: 9)
        let message = try resolver.resolve(
            answers[1], observedAt: Self.nearlyEleven + 6, secretOf: { _ in secret })
        #expect(message.installation == Bytes(repeating: 3))
        #expect(message.startSeconds == Self.nearlyEleven / 86_400 * 86_400)
    }

    @Test func `An identity that a phone writes is logged as written`() throws {
        var scene = try Scene("schemes.ble_proximity=on")
        scene.run(milliseconds: 1_000)
        let phone = try ScriptedPhone(1)
        scene.phones = [phone]
        phone.accepts = false
        let isConnected = scene.run { $0.connect(phone) }
        #expect(isConnected)
        scene.run(milliseconds: 1_000)
        try phone.write([1, 2, 3, 4, 5, 6, 7, 8], handle: 19)
        scene.run(milliseconds: 1_000)
        scene.stop()
        let identified = scene.world.medium.entries.compactMap(\.identified)
        #expect(identified.contains { $0.scheme.id == .bleProximity && $0.marks.contains(.written) })
    }

    @Test func `The next day's value is ready at midnight`() throws {
        let world = Self.world(at: Self.nearlyEleven / 86_400 * 86_400 + 86_370)
        world.sonarRegistration = try Self.registration()
        var scene = try Scene("schemes.sonar=on", in: world)
        scene.run(milliseconds: 28_000)
        let today = try scene.read(.sonar, by: 1) ?? []
        scene.run(milliseconds: 4_000)
        let tomorrow = try scene.read(.sonar, by: 2) ?? []
        #expect(today.count == 129 && tomorrow.count == 129)
        #expect(today.prefix(108) != tomorrow.prefix(108))
    }

    // MARK: The authority

    private static let authorityScalar = Bytes<32>(repeating: 5)

    private static func registration() throws -> SonarRegistration {
        let resolver = try SonarResolver(scalar: authorityScalar, entropy: .system)
        return SonarRegistration(
            installation: Bytes(repeating: 3), secret: Bytes(repeating: 9),
            authorityKey: resolver.publicKey)
    }

    private static func identifier(at seconds: UInt64) throws -> [UInt8] {
        var root = root
        return try CovidTracer.identity(at: seconds, by: &root).identity.bytes.span.array
    }
}

extension SchemeService {
    fileprivate var ownSearch: CharacteristicSearch {
        CharacteristicSearch(services: UUIDList(service), characteristic: identity)
    }
}

extension Scene {
    /// Has a phone connect, read the identity, and disconnect.
    fileprivate mutating func read(_ scheme: SchemeService, by number: UInt64) throws -> [UInt8]? {
        let phone = try ScriptedPhone(100 + number)
        phone.readsUs = false
        guard world.connect(phone) else { return nil }
        phone.look(for: scheme.ownSearch)
        run { _ in phone.payloadRead != nil }
        phone.hangUp()
        settle()
        return phone.payloadRead
    }

    /// The board's own identities in the log.
    fileprivate func logged(_ scheme: SchemeID) -> [[UInt8]] {
        world.medium.entries.compactMap(\.ownIdentity).filter { $0.scheme.id == scheme }
            .map { $0.identity.span.array }
    }
}
