import Cryptography
import EncounterLog
import FixedMemory
import TestSupport
import Testing

@testable import Agent
@testable import Radio

/// Tests the keep-alives to connected Sonar phones, and the RSSI readings of their links.
@Suite struct KeepAliveTests {
    @Test func `A phone that subscribes to keep-alives gets a byte every 8 s, and its RSSI is recorded`()
        throws
    {
        var scene = try Scene("schemes.sonar=on")
        scene.run(milliseconds: 1_000)
        let phone = try Self.subscriber(1)
        #expect(scene.world.connect(phone))
        scene.run(milliseconds: 1_000)
        try phone.write([1, 0], handle: 23)
        scene.run(milliseconds: 90_000)
        #expect(phone.isConnected, "it may be idle")
        #expect((11...12).contains(phone.notifications.count))
        #expect(phone.notifications.allSatisfy { $0.count == 4 && $0.prefix(3) == [0x1b, 22, 0] })
        let bytes = phone.notifications.map { $0[3] }
        let steps = zip(bytes, bytes.dropFirst()).map { $1 &- $0 }
        #expect(Set(steps).count > 3, "nobody can foretell the next from the last")
        scene.stop()
        let samples = scene.world.medium.entries.compactMap(\.sample)
        #expect(samples.reduce(0) { $0 + Int($1.readings) } == phone.notifications.count)
        #expect(samples.allSatisfy { $0.maximumRSSIDBm == -60 })
    }

    @Test func `Successive keep-alives differ even if the random generator repeats itself`() throws {
        var scene = try Scene("schemes.sonar=on")
        scene.world.board.keyEntropy.repeats = true
        scene.run(milliseconds: 1_000)
        let phone = try Self.subscriber(1)
        scene.world.connect(phone)
        scene.run(milliseconds: 1_000)
        try phone.write([1, 0], handle: 23)
        scene.run(milliseconds: 40_000)
        let bytes = phone.notifications.map { $0[3] }
        #expect(bytes.count >= 4)
        #expect(zip(bytes, bytes.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test func `RSSI readings of links do not count as reports, and raise no suspected fault`() throws {
        var scene = try Scene("schemes.sonar=on", "encounters.links=8")
        scene.run(milliseconds: 1_000)
        for number in 1...4 as ClosedRange<UInt64> {
            let phone = try Self.subscriber(number)
            scene.world.connect(phone)
            scene.run(milliseconds: 1_000)
            try phone.write([1, 0], handle: 23)
        }
        scene.run(milliseconds: 180_000)
        scene.stop()
        let entries = scene.world.medium.entries
        #expect(entries.compactMap(\.sample).count > 50)
        #expect(entries.compactMap(\.radio).isEmpty)
        #expect(entries.compactMap(\.coverage).allSatisfy { $0.reports == 0 })
    }

    @Test func `Subscribed phones keep at most half of the link slots, and for ten minutes at most`() throws {
        var scene = try Scene("schemes.sonar=on", "encounters.links=4")
        scene.run(milliseconds: 1_000)
        let phones = try (1...3 as ClosedRange<UInt64>).map { try Self.subscriber($0) }
        for phone in phones {
            scene.world.connect(phone)
            scene.run(milliseconds: 1_000)
            try phone.write([1, 0], handle: 23)
        }
        scene.run(milliseconds: 80_000)
        #expect(phones.map(\.isConnected) == [true, true, false])
        scene.run(milliseconds: 530_000)
        #expect(phones.allSatisfy { !$0.isConnected }, "and for ten minutes")
    }

    @Test func `A phone that has not subscribed gets no keep-alives`() throws {
        var scene = try Scene("schemes.sonar=on")
        scene.run(milliseconds: 1_000)
        let phone = try Self.subscriber(1)
        #expect(scene.world.connect(phone))
        scene.run(milliseconds: 30_000)
        #expect(phone.notifications.isEmpty)
    }

    private static func subscriber(_ number: UInt64) throws -> ScriptedPhone {
        let phone = try ScriptedPhone(number, payload: [0x10, UInt8(number)])
        phone.readsUs = false
        return phone
    }
}
