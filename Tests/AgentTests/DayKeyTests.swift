import Agent
import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import Schemes
import TestSupport
import Testing

@testable import Radio

/// Tests which keys a board stores: only keys of days. The root keys go into the log, for the owner alone.
@Suite struct DayKeyTests {
    private static let day: UInt32 = 20_779
    private static let wearable = [
        "agent.role=wearable", "schemes.covid_tracer=on", "log.loss_window_seconds=10",
    ]

    /// Makes a world without stored keys; its wall clock, if it has one, stands at 23:55.
    private func world(knowsTime: Bool = true) -> BoardWorld {
        let world = BoardWorld()
        world.store.heraldSchedule = nil
        if knowsTime {
            world.wallOffset = UInt64(Self.day + 1) * 86_400_000 - 300_000 - world.now.milliseconds
        }
        return world
    }

    private func scene(_ world: BoardWorld, boot: UInt64 = 7) throws -> Scene {
        try Scene(options: Self.wearable, in: world, boot: boot)
    }

    private func ownKeys(_ world: BoardWorld, _ scheme: SchemeID) -> [OwnKeyEntry] {
        world.medium.entries.compactMap(\.ownKey).filter { $0.scheme.id == scheme }
    }

    private func root(_ entry: OwnKeyEntry) -> Bytes<32> { Bytes(entry.key.span) ?? Bytes() }

    private func holds(_ world: BoardWorld, _ scheme: SchemeID, _ key: Bytes<32>) -> Bool {
        let record = world.store.dayKeyRecords[scheme] ?? []
        return (0..<max(0, record.count - 31)).contains { start in
            (0..<32).allSatisfy { record[start + $0] == key[$0] }
        }
    }

    private func identities(_ world: BoardWorld, _ scheme: SchemeID) -> [[UInt8]] {
        world.medium.entries.compactMap(\.ownIdentity).filter { $0.scheme.id == scheme }.map {
            $0.identity.span.array
        }
    }

    @Test func `a board without keys makes a root, logs it for its owner, and stores only the keys of days`()
        throws
    {
        let world = world()
        var scene = try scene(world)
        scene.run(milliseconds: 5_000)
        #expect(scene.controller.isAdvertising)
        scene.stop()
        let herald = try #require(ownKeys(world, .herald).first)
        let covidTracer = try #require(ownKeys(world, .covidTracer).first)
        #expect(ownKeys(world, .herald).count == 1)
        #expect(herald.firstPeriod == Self.day)
        #expect(herald.periodCount == 28)
        #expect(herald.key != covidTracer.key)
        let schedule = HeraldKeySchedule(root: root(herald), firstDay: Self.day)
        let keys = try #require(world.store.dayKeys(of: .herald))
        #expect(keys.dayCount == 28)
        #expect(keys.isRootInClear)
        for day in Self.day..<Self.day + 28 {
            #expect(try keys.key(of: day) == schedule.matchingKey(ofDay: day).key)
        }
        #expect(!holds(world, .herald, root(herald)))
        #expect(!holds(world, .covidTracer, root(covidTracer)))
        // The identities that the board shows derive from the logged roots.
        var maker = HeraldIdentifierMaker(schedule)
        let midnight = UInt64(Self.day + 1) * 86_400
        let identity = try Herald.identity(at: midnight - 299, by: &maker)
        #expect(identities(world, .herald).last.map { Array($0.suffix(16)) } == identity.identity.span.array)
        var covidRoot = CovidTracerRootKey(root(covidTracer))
        let hour = try CovidTracer.identity(at: midnight - 299, by: &covidRoot)
        #expect(identities(world, .covidTracer).last == hour.identity.bytes.span.array)
        // The log holds the root before any identity that derives from it.
        let order = world.medium.entries.compactMap { entry in
            entry.ownKey.map { ($0.scheme, true) } ?? entry.ownIdentity.map { ($0.scheme, false) }
        }.filter { $0.0.id == .herald }.map(\.1)
        #expect(order.first == true)
    }

    /// Has two sources confirm the time: the disciplined system clock, and a host.
    private func confirm(_ scene: inout Scene) throws {
        scene.run(milliseconds: 2_000)
        scene.world.now += .milliseconds(3_700_000)
        scene.run(milliseconds: 2_000)
        let time = try #require(scene.world.board.clock.wallClock).time
        _ = try scene.ask(SyncRequest.setClock(time, errorMilliseconds: 40, sequence: 3))
        scene.run(milliseconds: 2_000)
    }

    @Test func `a clock alone does not delete the key of a day`() throws {
        let world = world()
        var scene = try scene(world)
        scene.run(milliseconds: 5_000)
        let before = try #require(world.store.dayKeys(of: .herald))
        scene.run(milliseconds: 310_000)
        #expect(scene.controller.isAdvertising)
        #expect(world.store.dayKeys(of: .herald) == before)
        for days in [29, 300, 0] as [UInt64] {
            world.stepWallClock(bySeconds: Int64(days) * 86_400)
            scene.run(milliseconds: 90_000)
            world.stepWallClock(bySeconds: -Int64(days) * 86_400)
            #expect(world.store.dayKeys(of: .herald) == before)
        }
        // After a day of this boot's monotonic time it is certainly over.
        world.now += .days(1)
        scene.run(milliseconds: 5_000)
        #expect(world.store.dayKeys(of: .herald)?.firstDay == Self.day + 1)
    }

    @Test func `the board deletes the key of a day when the day is over`() throws {
        let world = world()
        world.wallOffset = world.wallOffset.map { $0 - 3_704_000 }
        var scene = try scene(world)
        scene.run(milliseconds: 5_000)
        try confirm(&scene)
        let before = try #require(world.store.dayKeys(of: .herald))
        let yesterday = try #require(before.key(of: Self.day))
        #expect(holds(world, .herald, yesterday))
        scene.run(milliseconds: 310_000)
        #expect(scene.controller.isAdvertising)
        #expect(!holds(world, .herald, yesterday))
        let after = try #require(world.store.dayKeys(of: .herald))
        #expect(after.firstDay == Self.day + 1)
        #expect(after.dayCount == 27)
        #expect(world.store.dayKeys(of: .covidTracer)?.firstDay == Self.day + 1)
        scene.stop()
        #expect(ownKeys(world, .herald).count == 1)
        let today = HeraldMatchingKey(
            daysSince1970: Self.day + 1, key: try #require(before.key(of: Self.day + 1)))
        let shown = try #require(identities(world, .herald).last)
        var isOfToday = false
        try Herald.expand(today) { own in
            isOfToday = own.identity.span.array == Array(shown.suffix(16))
            return !isOfToday
        }
        #expect(isOfToday)
    }

    @Test func `a clock that is set back across midnight does not bring a deleted key back`() throws {
        let world = world()
        world.wallOffset = world.wallOffset.map { $0 + 600_000 }
        var scene = try scene(world)
        scene.run(milliseconds: 5_000)
        let today = try #require(world.store.dayKeys(of: .herald))
        #expect(today.firstDay == Self.day + 1)
        world.wallOffset = world.wallOffset.map { $0 - 3_600_000 }
        scene.run(milliseconds: 5_000)
        #expect(scene.controller.isAdvertising)
        scene.stop()
        let entries = ownKeys(world, .herald)
        #expect(entries.map(\.firstPeriod) == [Self.day + 1, Self.day])
        #expect(entries.map(\.periodCount) == [28, 1])
        let keys = try #require(world.store.dayKeys(of: .herald))
        #expect(keys.firstDay == Self.day)
        #expect(keys.dayCount == 29)
        #expect(keys.key(of: Self.day + 1) == today.key(of: Self.day + 1))
    }

    @Test func `a board without the time makes no keys until a client sets its clock`() throws {
        let world = world(knowsTime: false)
        var scene = try scene(world)
        scene.run(milliseconds: 5_000)
        #expect(world.store.dayKeyRecords.isEmpty)
        let time = WallClockTime(days: UInt64(Self.day))
        let request = try SyncRequest.setClock(time, errorMilliseconds: 40, sequence: 3)
        _ = try scene.ask(request)
        scene.run(milliseconds: 5_000)
        #expect(scene.controller.isAdvertising)
        #expect(world.store.dayKeys(of: .herald)?.firstDay == Self.day)
        #expect(world.store.dayKeys(of: .covidTracer)?.firstDay == Self.day)
    }

    @Test func `when fewer than 14 days of keys are left, the board makes keys for 28 more`() throws {
        let world = world()
        var scene = try scene(world)
        scene.run(milliseconds: 5_000)
        scene.stop()
        world.wallOffset = world.wallOffset.map { $0 + 14 * 86_400_000 - 3_704_000 }
        var next = try self.scene(world, boot: 8)
        try confirm(&next)
        var keys = try #require(world.store.dayKeys(of: .herald))
        #expect(keys.firstDay == Self.day + 14)
        #expect(keys.dayCount == 14)
        next.run(milliseconds: 300_000)
        keys = try #require(world.store.dayKeys(of: .herald))
        #expect(keys.firstDay == Self.day + 15)
        #expect(keys.dayCount == 13 + 28)
        next.stop()
        let entries = ownKeys(world, .herald)
        #expect(entries.map(\.firstPeriod) == [Self.day, Self.day + 28])
        let schedule = HeraldKeySchedule(root: root(try #require(entries.last)), firstDay: Self.day + 28)
        #expect(try keys.key(of: Self.day + 55) == schedule.matchingKey(ofDay: Self.day + 55).key)
    }

    @Test func `the keys survive a restart`() throws {
        let world = world()
        var scene = try scene(world)
        scene.run(milliseconds: 5_000)
        let records = world.store.dayKeyRecords
        scene.stop()
        var next = try self.scene(world, boot: 8)
        next.run(milliseconds: 5_000)
        #expect(world.store.dayKeyRecords == records)
        next.stop()
        #expect(ownKeys(world, .herald).count == 1)
    }

    @Test func `if the medium cannot store keys, the board reports it once and does not advertise`() throws {
        let world = world()
        world.store.keepsSecrets = false
        var scene = try scene(world)
        scene.run(milliseconds: 60_000)
        #expect(!scene.controller.isAdvertising)
        #expect(world.notices.count { $0 == .dayKeysNotStored } == 1)
        #expect(world.hasNotice(.identityStandingChanged(.keyMissing)))
        let status = try scene.boardStatus()
        #expect(status.identityState == .keyMissing)
        world.store.keepsSecrets = true
        scene.run(milliseconds: 30_000)
        #expect(scene.controller.isAdvertising)
        scene.stop()
        #expect(ownKeys(world, .herald).count == 1)
    }

    @Test func `when log encryption begins, a root logged in clear is replaced from the next day on`()
        throws
    {
        let owner = try OwnerKeyPair()
        let world = world()
        world.store.keys = try BoardKeys(entropy: .system)
        var scene = try scene(world)
        scene.run(milliseconds: 5_000)
        let before = try #require(world.store.dayKeys(of: .herald))
        let request = try SyncRequest.setKeys(
            ownerKey: owner.publicKey, operatorKey: owner.publicKey, sequence: 1)
        _ = try scene.ask(request)
        scene.run(milliseconds: 10_000)
        let after = try #require(world.store.dayKeys(of: .herald))
        #expect(!after.isRootInClear)
        #expect(after.key(of: Self.day) == before.key(of: Self.day))
        #expect(after.key(of: Self.day + 1) != before.key(of: Self.day + 1))
        scene.stop()
        #expect(ownKeys(world, .herald).count == 1)
        let sealed = world.medium.entries(for: [owner]).compactMap(\.ownKey).filter {
            $0.scheme.id == .herald
        }
        #expect(sealed.map(\.firstPeriod) == [Self.day, Self.day + 1])
        let schedule = HeraldKeySchedule(root: root(try #require(sealed.last)), firstDay: Self.day + 1)
        #expect(
            try after.key(of: Self.day + 1) == schedule.matchingKey(ofDay: Self.day + 1).key)
    }

    // MARK: Provisioning

    @Test func `provisioned keys take effect at the next start`() throws {
        let world = world()
        world.store.keys = try BoardKeys(entropy: .system)
        world.wallOffset = world.wallOffset.map { $0 - 3_600_000 }
        let schedule = HeraldKeySchedule(secret: [UInt8](repeating: 3, count: 2_048).span, epochDay: 20_700)
        var job = try DayKeysJob(schedule, firstDay: Self.day, dayCount: 56)
        let made = job.advance(hashLimit: .max)
        let keys = try #require(made)
        var scene = try scene(world)
        scene.run(milliseconds: 5_000)
        #expect(try scene.provision(keys.record.span.array) == nil)
        scene.run(milliseconds: 1_500)
        let ending = scene.ending
        #expect(ending == .configured)
        #expect(world.store.dayKeys(of: .herald) == keys)
        var next = try self.scene(world, boot: 8)
        next.run(milliseconds: 5_000)
        next.stop()
        var maker = HeraldIdentifierMaker(schedule)
        let now = (UInt64(Self.day + 1) * 86_400_000 - 3_900_000) / 1_000
        let identity = try Herald.identity(at: now, by: &maker)
        #expect(identities(world, .herald).last.map { Array($0.suffix(16)) } == identity.identity.span.array)
        #expect(ownKeys(world, .herald).count == 1)
    }
}
