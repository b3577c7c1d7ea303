import Agent
import EncounterLog
import FixedMemory
import HCI
import Schemes
import TestSupport
import Testing

@testable import Radio

/// Tests the agent's own Exposure Notification identity: its adverts, their address, and their key.
@Suite struct OwnExposureTests {
    /// 2026-03-01, 10:59:30 UTC.
    private static let nearlyEleven: UInt64 = 1_772_362_770

    private static func world(at seconds: UInt64 = nearlyEleven) -> BoardWorld {
        let world = BoardWorld()
        world.wallOffset = seconds * 1_000 &- world.now.milliseconds
        return world
    }

    /// The state of advertising at one moment.
    private struct Moment: Equatable {
        let isExposure: Bool
        let address: [UInt8]
        let data: [UInt8]
        let type: UInt8
    }

    private static func moments(_ scene: inout Scene, milliseconds: UInt64, tick: UInt64 = 10) -> [Moment] {
        var moments: [Moment] = []
        for _ in 0..<milliseconds / tick {
            scene.run(milliseconds: tick)
            guard scene.controller.isAdvertising else { continue }
            let data = scene.controller.advertisingData
            moments.append(
                Moment(
                    isExposure: data.starts(with: [2, 1, 0x1a, 3, 3, 0x6f, 0xfd, 0x17, 0x16, 0x6f, 0xfd]),
                    address: scene.controller.randomAddress, data: data,
                    type: scene.controller.advertisingType))
        }
        return moments
    }

    @Test func `The identity has an address of its own, and its adverts are not connectable`() throws {
        var scene = try Scene("schemes.exposure_notification=on", in: Self.world())
        scene.run(milliseconds: 3_000)
        let moments = Self.moments(&scene, milliseconds: 9_000)
        let (exposures, others) = (moments.filter(\.isExposure), moments.filter { !$0.isExposure })
        #expect(exposures.count > 270 && others.count > 540)
        #expect(exposures.allSatisfy { $0.type == 3 && $0.data.count == 31 && $0.address[5] >> 6 == 0 })
        #expect(others.allSatisfy { $0.type == 0 && $0.data.hex.hasPrefix("0201060303f6fc") })
        #expect(Set(exposures.map(\.address)).count == 1 && Set(others.map(\.address)).count == 1)
        #expect(scene.world.violations.isEmpty)
    }

    @Test func `A phone that scans for four seconds hears the identity, also in an empty room`()
        throws
    {
        var scene = try Scene(
            "schemes.exposure_notification=on", "schemes.ble_proximity=on", in: Self.world())
        scene.run(milliseconds: 60_000)
        let start = scene.world.now
        var changes: [(Instant, Bool)] = []
        while scene.world.now < start + 30_000 {
            scene.run(milliseconds: 20)
            let isExposure = scene.controller.isAdvertising && scene.controller.advertisingData.count == 31
            if changes.last?.1 != isExposure { changes.append((scene.world.now, isExposure)) }
        }
        #expect(changes.count > 17)
        // The first slot began before the observation.
        for index in 1..<changes.count - 1 {
            let milliseconds = Int((changes[index + 1].0 - changes[index].0).milliseconds)
            #expect(abs(milliseconds - (changes[index].1 ? 1_000 : 2_000)) <= 60)
        }
    }

    @Test func `Other schemes are time-multiplexed with the identity`() throws {
        var scene = try Scene(
            "schemes.exposure_notification=on", "schemes.ble_proximity=on", in: Self.world())
        scene.run(milliseconds: 3_000)
        let moments = Self.moments(&scene, milliseconds: 12_000)
        let adverts = Set(moments.map { $0.isExposure ? "exposure" : $0.data.hex })
        #expect(
            adverts == [
                "exposure", "0201060303f6fc11079bfd5bd672451e80d3424647af328142020a08",
                "0201060303f6fc1107f91ae0661c737490f74ad6658e29998e020a08",
            ])
    }

    @Test func `A controller that cannot advertise while it scans alternates between both adverts`() throws {
        let world = Self.world()
        world.controller.profile.sharesRoles = false
        var scene = try Scene("schemes.exposure_notification=on", in: world)
        scene.run(milliseconds: 6_000)
        let moments = Self.moments(&scene, milliseconds: 18_000)
        let count = moments.count(where: \.isExposure)
        #expect((250...310).contains(count) && (250...310).contains(moments.count - count))
        #expect(scene.world.violations.isEmpty)
    }

    @Test func `A wearable changes identifier and address every twelve minutes, with its other identities`()
        throws
    {
        // The time is 11:58:30. At 12:00 the hour, Herald's six minutes and the twelve minutes all end.
        var scene = try Scene(
            "agent.role=wearable", "schemes.exposure_notification=on",
            in: Self.world(at: Self.nearlyEleven + 3_540))
        scene.run(milliseconds: 3_000)
        let moments = Self.moments(&scene, milliseconds: 1_560_000)
        let exposures = moments.filter(\.isExposure)
        var changes = 0
        for (before, after) in zip(exposures, exposures.dropFirst()) where before != after {
            #expect(before.address != after.address && before.data != after.data)
            changes += 1
        }
        #expect(changes == 3, "at 12:00, 12:12 and 12:24")
        let own = Set(moments.filter { !$0.isExposure }.map(\.address))
        #expect(own.count == 6)
        #expect(own.isDisjoint(with: exposures.map(\.address)))
        #expect(scene.world.violations.isEmpty)
    }

    /// Identifiers last for ten minutes and addresses for twelve, so a start in the middle of both could give
    /// two addresses one identifier.
    @Test(arguments: [10, 20, 32, 44] as [UInt64])
    func `No identifier is sent under two addresses, whenever the agent starts`(minute: UInt64) throws {
        let world = Self.world(at: Self.nearlyEleven + 30 - 3_600 + minute * 60 + 56)
        var scene = try Scene("agent.role=wearable", "schemes.exposure_notification=on", in: world)
        scene.run(milliseconds: 3_000)
        let exposures = Self.moments(&scene, milliseconds: 1_000_000, tick: 100).filter(\.isExposure)
        let pairs = Dictionary(grouping: exposures, by: \.data).mapValues { Set($0.map(\.address)).count }
        #expect(pairs.count >= 2 && pairs.values.allSatisfy { $0 == 1 })
    }

    @Test func `Connection attempts use the board's main address, never that of Exposure Notification`()
        throws
    {
        var scene = try Scene("schemes.exposure_notification=on", in: Self.world())
        scene.run(milliseconds: 3_000)
        let phones = try (0..<30 as Range<UInt64>).map { try ScriptedPhone($0) }
        // An attempt at one of these phones lasts until its timeout.
        for phone in phones.prefix(3) { phone.accepts = false }
        scene.phones = phones
        var addresses: Set<[UInt8]> = []
        // Long enough for a second attempt at a phone whose first one fails.
        for _ in 0..<9_000 {
            scene.run(milliseconds: 10)
            if scene.controller.connectingTo != nil { addresses.insert(scene.controller.randomAddress) }
        }
        #expect(addresses.count == 1)
        #expect(addresses.allSatisfy { $0[5] >> 6 == 3 })
        #expect(phones.dropFirst(3).allSatisfy { $0.linkCount > 0 })
        #expect(scene.world.violations.isEmpty)
    }

    @Test func `Advertising slots cost no coverage, and raise no suspected fault`() throws {
        var scene = try Scene("schemes.exposure_notification=on", in: Self.world())
        let phones = try (0..<12 as Range<UInt64>).map { try ScriptedPhone($0) }
        scene.phones = phones
        scene.run(milliseconds: 120_000)
        scene.stop()
        let entries = scene.world.medium.entries
        #expect(entries.compactMap(\.radio).isEmpty)
        let covered = entries.compactMap(\.coverage).reduce(.zero) {
            $0 + ($1.end - $1.start)
        }
        #expect(covered > 115_000)
    }

    @Test func `A silent scan is detected as early as without advertising slots`() throws {
        var scene = try Scene("schemes.exposure_notification=on", in: Self.world())
        scene.phones = try (0..<12 as Range<UInt64>).map { try ScriptedPhone($0) }
        scene.run(milliseconds: 60_000)
        scene.controller.faults.begin(.silence)
        let began = scene.world.now
        scene.run(milliseconds: 60_000)
        scene.stop()
        let coverage = scene.world.medium.entries.compactMap(\.coverage)
        #expect(coverage.contains { abs(Int($0.end.milliseconds) - Int(began.milliseconds)) < 1_000 })
        #expect(!scene.world.medium.entries.compactMap(\.radio).isEmpty)
    }

    @Test func `a refusal of the board's own address shows, although Exposure Notification's adverts go out`()
        throws
    {
        var scene = try Scene("schemes.exposure_notification=on", in: Self.world())
        // While phones are heard the agent does not tell the controller its address again.
        scene.phones = try (0..<3 as Range<UInt64>).map { try ScriptedPhone($0) }
        scene.run(milliseconds: 40_000)
        let isInSlot = scene.run {
            $0.controller.isAdvertising && $0.controller.advertisingData.count == 31
        }
        #expect(isInSlot)
        scene.controller.faults.begin(.disallowedAddress, cure: .reset)
        scene.controller.faults.endAll()
        scene.run(milliseconds: 60_000)
        #expect(scene.radioStatus.lastFault == .refusedRole)
        let moments = Self.moments(&scene, milliseconds: 9_000)
        #expect(moments.contains(where: \.isExposure) && moments.contains { !$0.isExposure })
    }

    @Test func `The keys in the log expand to all identifiers advertised`() throws {
        // The time is 23:50, so one day's key is in use, then the next day's.
        var scene = try Scene(
            "schemes.exposure_notification=on",
            in: Self.world(at: Self.nearlyEleven / 86_400 * 86_400 + 85_800))
        let moments = Self.moments(&scene, milliseconds: 1_500_000)
        scene.stop()
        let said = Set(moments.filter(\.isExposure).map { Array($0.data[11..<27]) })
        var expanded: Set<[UInt8]> = []
        let keys = scene.world.medium.entries.compactMap(\.ownKey)
        #expect(keys.count == 2 && keys.allSatisfy { $0.scheme.id == .exposureNotification })
        for entry in keys {
            let data = Bytes<16>(entry.key.span)
            let key = try TemporaryExposureKey(
                data: try #require(data),
                rollingStart: ExposureNotificationInterval(number: entry.firstPeriod))
            #expect(key.rollingStart.number % 144 == 0)
            try ExposureNotification.expand(key) {
                expanded.insert($0.identity.bytes.span.array).inserted || true
            }
        }
        #expect(said.count == 3 && said.isSubset(of: expanded))
    }

    @Test func `Without the time, no identity is advertised`() throws {
        var scene = try Scene("schemes.exposure_notification=on")
        let moments = Self.moments(&scene, milliseconds: 9_000)
        #expect(!moments.isEmpty && !moments.contains(where: \.isExposure))
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.ownKey).isEmpty)
    }
}
