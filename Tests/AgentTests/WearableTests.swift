import Agent
import Configuration
import DeviceSync
import EncounterLog
import FixedMemory
import Foundation
import HCI
import Simulator
import TestSupport
import Testing

/// The identifiers of an all-zero secret, from Tests/Vectors/herald_key_schedule.py.
private enum Identifiers {
    static let table: [String: String] = {
        guard
            let text = try? String(
                contentsOf: Vectors.url("herald-contact-identifiers.csv"), encoding: .utf8)
        else { preconditionFailure("the vectors are not there") }
        var table: [String: String] = [:]
        for row in text.split(separator: "\n").dropFirst() {
            let columns = row.split(separator: ",")
            table["\(columns[0]),\(columns[1])"] = String(columns[2])
        }
        return table
    }()

    static func payload(day: Int, period: Int) -> String {
        "103a030000" + (table["\(day),\(period)"] ?? "not in the vectors")
    }
}

/// The address and the payload that a phone observed.
private struct Reading: Hashable {
    let address: String
    let payload: String
}

extension Scene {
    private static var epochMilliseconds: UInt64 { 20_454 * 86_400_000 }

    /// Makes a wearable that knows the time from the start.
    fileprivate static func worn(
        day: UInt64, period: UInt64, second: UInt64 = 0, _ options: String...
    ) throws -> Scene {
        let world = BoardWorld()
        world.setWallClock(day: day, period: period, second: second)
        return try Scene(options: ["agent.role=wearable"] + options, in: world)
    }

    /// Has a phone connect, read the payload, and disconnect.
    fileprivate mutating func readOnce(by number: UInt64) throws -> Reading? {
        let phone = try ScriptedPhone(number)
        let address = controller.randomAddress.hex
        guard world.connect(phone) else { return nil }
        run { _ in phone.payloadRead != nil }
        phone.hangUp()
        settle()
        return phone.payloadRead.map { Reading(address: address, payload: $0.hex) }
    }
}

extension BoardWorld {
    fileprivate func setWallClock(day: UInt64, period: UInt64, second: UInt64 = 0) {
        let time = 20_454 * 86_400_000 + day * 86_400_000 + period * 360_000 + second * 1_000
        wallOffset = time &- now
    }

    fileprivate func stepWallClock(bySeconds step: Int64) {
        wallOffset = wallOffset.map { $0 &+ UInt64(bitPattern: step * 1_000) }
    }
}

extension SimulatedController {
    /// The host's commands after the first `count`.
    fileprivate func commands(since count: Int) -> [OpCode] { Array(commands[count...]) }
}

@Suite struct WearableTests {
    @Test(
        "HP-D06, HP-O01, X8: address and payload always change together, each period and at midnight"
    )
    func addressAndPayloadChangeTogether() throws {
        var scene = try Scene.worn(day: 3, period: 238, second: 100)
        scene.run(milliseconds: 2_000)
        var readings: [Reading] = []
        for number in 0..<70 as Range<UInt64> {
            if let reading = try scene.readOnce(by: number) { readings.append(reading) }
            scene.run(milliseconds: 15_000)
        }
        #expect(readings.count == 70)
        let distinct = Set(readings)
        let periods = [(3, 238), (3, 239), (4, 0), (4, 1)].map(Identifiers.payload)
        #expect(Set(distinct.map(\.payload)) == Set(periods.prefix(distinct.count)))
        #expect(distinct.count >= 3)
        #expect(Set(distinct.map(\.address)).count == distinct.count, "an address with two payloads")
        #expect(scene.world.violations.isEmpty)
        scene.stop()
        let own = scene.world.medium.entries.compactMap(\.ownIdentity)
        let logged = own.map { entry in
            Reading(
                address: entry.address.span.array.hex,
                payload: (0..<entry.identity.count).map { entry.identity[$0] }.hex)
        }
        #expect(Set(logged) == distinct)
        #expect(logged.map(\.payload) == Array(periods.prefix(distinct.count)))
    }

    @Test(
        "HP-D06: scanning and advertising stop, the address changes, and both restart without other commands")
    func theOrderOfAChange() throws {
        var scene = try Scene.worn(day: 3, period: 7, second: 350)
        scene.run(milliseconds: 5_000)
        let (count, address) = (scene.controller.commands.count, scene.controller.randomAddress)
        scene.run(milliseconds: 10_000)
        #expect(
            scene.controller.commands(since: count).prefix(5) == [
                .leSetScanEnable, .leSetAdvertisingEnable, .leSetRandomAddress, .leSetAdvertisingEnable,
                .leSetScanEnable,
            ])
        #expect(scene.controller.randomAddress != address)
        #expect(scene.controller.isScanning && scene.controller.isAdvertising)
        #expect(scene.world.violations.isEmpty)
    }

    @Test(
        "HP-D06: a wearable's address has the resolvable private type, and does not depend on the log"
    )
    func theAddressIsPrivate() throws {
        var addresses: Set<String> = []
        for day in 0..<2 as Range<UInt64> {
            var scene = try Scene.worn(day: day, period: 3)
            scene.settle()
            #expect(scene.controller.randomAddress.last.map { $0 >> 6 } == 1)
            scene.run(milliseconds: 361_000)
            addresses.insert(scene.controller.randomAddress.hex)
        }
        // The test's generator is the same each time, and one address proves that nothing else enters into
        // it.
        #expect(addresses.count == 1)
    }

    @Test("HP-C19: neither a beacon nor a wearable advertises a pseudo device address")
    func noPseudoAddress() throws {
        for role in ["beacon", "wearable"] {
            var scene = try Scene.worn(day: 3, period: 7, second: 0, "agent.role=\(role)")
            scene.run(milliseconds: 2_000)
            #expect(
                scene.controller.advertisingData.hex
                    == "0201060303f6fc11079bfd5bd672451e80d3424647af328142020a08")
        }
    }

    @Test("HP-C19, X8: a beacon keeps its address and its payload")
    func aBeaconStaysTheSame() throws {
        var scene = try Scene.worn(day: 3, period: 7, second: 350, "agent.role=beacon")
        scene.run(milliseconds: 1_000)
        let before = try scene.readOnce(by: 1)
        scene.run(milliseconds: 400_000)
        #expect(try scene.readOnce(by: 2) == before)
        #expect(before?.payload == "303a03000040e20100")
        #expect(scene.controller.commands.filter { $0 == .leSetRandomAddress }.count == 1)
    }

    // MARK: Links

    @Test("X7: a link that is open at a change still reads the old payload, and closes soon after")
    func anOpenLinkIsOfWhomItBeganWith() throws {
        var scene = try Scene.worn(day: 3, period: 7, second: 350)
        scene.run(milliseconds: 1_000)
        let phone = try ScriptedPhone(1)
        phone.readsUs = false
        scene.world.connect(phone)
        scene.run(milliseconds: 11_000)
        #expect(scene.controller.commands.filter { $0 == .leSetRandomAddress }.count == 3)
        phone.read()
        scene.run(milliseconds: 1_000)
        #expect(phone.payloadRead?.hex == Identifiers.payload(day: 3, period: 7))
        #expect(phone.isConnected)
        #expect(try scene.readOnce(by: 2)?.payload == Identifiers.payload(day: 3, period: 8))
        scene.run(milliseconds: 12_000)
        #expect(!phone.isConnected)
        #expect(scene.world.violations.isEmpty)
    }

    @Test(
        "X7: a phone that connects while advertising stops for a change reads the old payload"
    )
    func aLinkThatComesInTheMidstOfAChange() throws {
        try servesTheOldPayload(connectingBefore: .leSetAdvertisingEnable)
    }

    @Test(
        "HP-D06, X7: a phone that connects while scanning stops for a change reads the old payload"
    )
    func aLinkThatComesAtTheBeginningOfAChange() throws {
        try servesTheOldPayload(connectingBefore: .leSetScanEnable)
    }

    /// - Parameter opCode: the command, one of the change, before which the phone connects.
    private func servesTheOldPayload(connectingBefore opCode: OpCode) throws {
        var scene = try Scene.worn(day: 3, period: 7, second: 350)
        scene.run(milliseconds: 1_000)
        let phone = try ScriptedPhone(1)
        scene.world.connect(phone, beforeDisabling: opCode)
        scene.run(milliseconds: 12_000)
        #expect(phone.payloadRead?.hex == Identifiers.payload(day: 3, period: 7))
        scene.run(milliseconds: 12_000)
        #expect(!phone.isConnected)
        #expect(try scene.readOnce(by: 2)?.payload == Identifiers.payload(day: 3, period: 8))
        #expect(scene.world.violations.isEmpty)
    }

    @Test(
        "HP-D06: a connection attempt does not delay the change, and does not continue under the new address")
    func anAttemptEndsForAChange() throws {
        var scene = try Scene.worn(day: 3, period: 7, second: 340)
        let phone = try ScriptedPhone(1)
        phone.accepts = false
        scene.phones = [phone]
        scene.run(milliseconds: 18_000)
        let address = scene.controller.randomAddress
        scene.run { $0.controller.connectingTo != nil }
        scene.run { $0.controller.randomAddress != address }
        #expect(scene.controller.randomAddress != address)
        #expect(scene.world.violations.isEmpty)
        scene.run(milliseconds: 30_000)
        #expect(scene.world.violations.isEmpty)
        #expect(try scene.readOnce(by: 2)?.payload == Identifiers.payload(day: 3, period: 8))
    }

    @Test func aControllerThatIsResetGetsTheSameAddressAgain() throws {
        var scene = try Scene.worn(day: 3, period: 7, second: 10)
        scene.run(milliseconds: 2_000)
        let before = try scene.readOnce(by: 1)
        scene.controller.injectEvent(0x10, [0x20])
        scene.run(milliseconds: 10_000)
        #expect(scene.controller.commands.filter { $0 == .reset }.count == 2)
        #expect(try scene.readOnce(by: 2) == before)
        #expect(scene.world.violations.isEmpty)
    }

    @Test func aChangeWhileTheControllerIsDownIsMadeWhenItIsUp() throws {
        var scene = try Scene.worn(day: 3, period: 7, second: 340)
        scene.run(milliseconds: 2_000)
        scene.controller.faults.begin(.vanishedAdapter)
        scene.run(milliseconds: 25_000)
        scene.controller.faults.end(.vanishedAdapter)
        scene.run(milliseconds: 40_000)
        #expect(try scene.readOnce(by: 2)?.payload == Identifiers.payload(day: 3, period: 8))
        #expect(scene.world.violations.isEmpty)
    }

    @Test func anAddressThatIsRefusedIsSetAgainBeforeAnythingIsSent() throws {
        var scene = try Scene.worn(day: 3, period: 7, second: 350)
        scene.run(milliseconds: 5_000)
        let address = scene.controller.randomAddress
        scene.script.set(.refuse(.commandDisallowed), to: .leSetRandomAddress, times: 3)
        scene.run(milliseconds: 6_500)
        #expect(!scene.controller.isAdvertising && !scene.controller.isScanning)
        scene.run(milliseconds: 5_000)
        #expect(scene.controller.isAdvertising && scene.controller.isScanning)
        #expect(scene.controller.randomAddress != address)
        scene.run(milliseconds: 20_000)
        #expect(scene.world.faults.isEmpty)
    }

    // MARK: Time

    @Test("T5: a wearable without the time scans, and advertises only once its clock is set")
    func withoutTime() throws {
        var scene = try Scene("agent.role=wearable")
        let phone = try ScriptedPhone(1, payload: [0x10, 9, 8, 7])
        scene.phones = [phone]
        scene.run(milliseconds: 20_000)
        #expect(scene.controller.isScanning && !scene.controller.isAdvertising)
        #expect(!scene.controller.commands.contains(.leSetAdvertisingEnable))
        #expect(scene.world.hasNotice(.identityStandingChanged(.timeUnknown)))
        #expect(try scene.boardStatus().identityState == .timeUnknown)
        let time: UInt64 = (20_454 + 10) * 86_400_000 + 88 * 360_000 + 5_000
        let request = try SyncRequest.setClock(milliseconds: time, errorMilliseconds: 40, sequence: 3)
        _ = try scene.ask(request)
        scene.run(milliseconds: 2_000)
        #expect(scene.world.hasNotice(.identityStandingChanged(.present)))
        #expect(try scene.boardStatus().identityState == .present)
        let reading = try scene.readOnce(by: 2)
        #expect(reading?.payload == "103a030000" + "1a62affe1c74e52a2cb4c61d18d00d06")
        scene.stop()
        #expect(
            scene.world.medium.entries.compactMap(\.identified).map(\.identityBytes) == [[0x10, 9, 8, 7]])
    }

    @Test("T4, T5: advertising ends with the last key; the board never serves an all-zero identifier")
    func theLastKeyEnds() throws {
        var scene = try Scene.worn(day: 2_000, period: 239, second: 340)
        // A board that stores keys would make new ones.
        scene.world.store.keepsSecrets = false
        scene.run(milliseconds: 10_000)
        #expect(
            try scene.readOnce(by: 1)?.payload == "103a030000" + "b9eec54cd6b0655dedbeb5d0d778b161")
        let phone = try ScriptedPhone(2)
        phone.readsUs = false
        scene.world.connect(phone)
        scene.run(milliseconds: 15_000)
        #expect(scene.controller.isScanning && !scene.controller.isAdvertising)
        #expect(scene.world.hasNotice(.identityStandingChanged(.keyMissing)))
        #expect(try scene.boardStatus().identityState == .keyMissing)
        scene.run(milliseconds: 10_000)
        #expect(!phone.isConnected)
        scene.stop()
        let own = scene.world.medium.entries.compactMap(\.ownIdentity)
        #expect(own.map { $0.identity.count } == [21, 0])
    }

    @Test(
        "HP-D06: setting the clock back a little changes nothing, setting it back far changes both"
    )
    func theClockIsSetBack() throws {
        var scene = try Scene.worn(day: 3, period: 7, second: 5)
        scene.run(milliseconds: 2_000)
        let first = try #require(try scene.readOnce(by: 1))
        scene.world.stepWallClock(bySeconds: -60)
        scene.run(milliseconds: 3_000)
        #expect(try scene.readOnce(by: 2) == first)
        scene.world.stepWallClock(bySeconds: -3_600)
        scene.run(milliseconds: 3_000)
        let second = try #require(try scene.readOnce(by: 3))
        #expect(second.payload == Identifiers.payload(day: 2, period: 236))
        #expect(second.address != first.address)
        scene.world.stepWallClock(bySeconds: 3_660)
        scene.run(milliseconds: 3_000)
        let third = try #require(try scene.readOnce(by: 4))
        #expect(third.payload == first.payload)
        #expect(Set([first, second, third].map(\.address)).count == 3)
        #expect(scene.world.violations.isEmpty)
    }

    @Test(
        "T5: a synced time overrides an unsynchronised clock, and a disciplined clock overrides both"
    )
    func theBestClockCounts() throws {
        var scene = try Scene.worn(day: 3, period: 7)
        scene.world.wallErrorMilliseconds = .max
        scene.run(milliseconds: 2_000)
        #expect(try scene.readOnce(by: 1)?.payload == Identifiers.payload(day: 3, period: 7))
        let time: UInt64 = (20_454 + 10) * 86_400_000 + 88 * 360_000
        _ = try scene.ask(SyncRequest.setClock(milliseconds: time, errorMilliseconds: 40, sequence: 3))
        scene.run(milliseconds: 2_000)
        #expect(try scene.readOnce(by: 2)?.payload == Identifiers.payload(day: 10, period: 88))
        scene.world.wallErrorMilliseconds = 25
        scene.run(milliseconds: 2_000)
        #expect(try scene.readOnce(by: 3)?.payload == Identifiers.payload(day: 3, period: 7))
    }

    @Test("HP-D06: after the wall clock is lost, identities rotate by monotonic time")
    func theClockIsLost() throws {
        var scene = try Scene.worn(day: 3, period: 7)
        scene.run(milliseconds: 2_000)
        scene.world.wallOffset = nil
        scene.run(milliseconds: 362_000)
        #expect(try scene.readOnce(by: 1)?.payload == Identifiers.payload(day: 3, period: 8))
    }

    @Test func nobodyChangesAddressToo() throws {
        var scene = try Scene("agent.role=wearable")
        scene.run(milliseconds: 2_000)
        let address = scene.controller.randomAddress
        scene.run(milliseconds: 362_000)
        #expect(scene.controller.randomAddress != address)
        #expect(scene.controller.isScanning && !scene.controller.isAdvertising)
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.ownIdentity).isEmpty)
    }
}
