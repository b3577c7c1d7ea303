import FixedMemory
import HCI
import Testing

/// Tests which connections the board attempts, how often, and how much scanning time they cost.
@Suite struct ConnectionAttemptTests {
    @Test func `HP-C13: the board itself cancels an unanswered attempt, and retries ever more rarely`() throws
    {
        var scene = try Scene()
        let phone = try ScriptedPhone(1)
        phone.accepts = false
        scene.phones = [phone]
        scene.run(milliseconds: 120_000)
        let commands = scene.controller.commands
        let attempts = commands.filter { $0 == .leCreateConnection }.count
        #expect((4...6).contains(attempts))
        #expect(commands.filter { $0 == .leCreateConnectionCancel }.count == attempts)
        #expect(!scene.world.hasHardFault)
        #expect(scene.world.violations.isEmpty)
        phone.accepts = true
        scene.run(milliseconds: 120_000)
        #expect(phone.linkCount == 1)
    }

    /// Ten strong fake phones at a time change their addresses every two seconds and accept no connection.
    @Test func `fake phones with strong signals do not keep the board from reading a phone`() throws {
        var scene = try Scene()
        let phone = try ScriptedPhone(1, payload: [0x10, 4, 2])
        phone.rssiDBm = -85
        for round in 0..<30 as Range<UInt64> {
            let fakes = try (0..<10 as Range<UInt64>).map { number in
                let fake = try ScriptedPhone(1_000 + round * 10 + number)
                fake.rssiDBm = -30
                fake.accepts = false
                return fake
            }
            // The phone arrives 20 s after the flood began.
            scene.phones = round < 10 ? fakes : fakes + [phone]
            scene.run(milliseconds: 2_000)
        }
        #expect(phone.linkCount == 1)
        #expect(scene.world.violations.isEmpty)
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.identified).map(\.identityBytes) == [[0x10, 4, 2]])
    }

    /// A board does not advertise during an attempt, so two boards that attempt each other at the same time
    /// both fail. With equal pauses they would fail again and again.
    @Test func `pauses after failed attempts vary, so that two boards fall out of step`() throws {
        var scene = try Scene()
        scene.phones = try (0..<60 as Range<UInt64>).map { number in
            let phone = try ScriptedPhone(number)
            phone.accepts = false
            return phone
        }
        var starts: [Int] = []
        for tenth in 0..<1_200 {
            scene.run(milliseconds: 100)
            let attempts = scene.controller.commands.filter { $0 == .leCreateConnection }.count
            if attempts > starts.count { starts.append(tenth) }
        }
        let periods = zip(starts, starts.dropFirst()).map { $1 - $0 }
        let shortest = try #require(periods.min())
        let longest = try #require(periods.max())
        #expect(longest - shortest >= 10, "of 2.5 s that a pause of 5 s may be longer")
    }

    /// Each attempt stops scanning for seconds; a crowd of phones that do not answer must not blind the
    /// board.
    @Test func `a crowd that never answers leaves almost half of the time to scan`() throws {
        var scene = try Scene()
        scene.phones = try (0..<60 as Range<UInt64>).map { number in
            let phone = try ScriptedPhone(number)
            phone.accepts = false
            return phone
        }
        scene.run(milliseconds: 5_000)
        var scanned = 0
        for _ in 0..<600 {
            scene.run(milliseconds: 100)
            if scene.controller.isScanning { scanned += 1 }
        }
        #expect(scanned > 280)
    }

    @Test func `HP-C12, HP-C13: an attempt whose end the controller never reports leads to a reset`() throws {
        var scene = try Scene()
        let phone = try ScriptedPhone(1)
        phone.accepts = false
        scene.phones = [phone]
        scene.controller.faults.begin(.untoldEndings)
        scene.run(milliseconds: 16_000)
        #expect(scene.world.faults.contains(.stuckConnecting))
        scene.controller.faults.end(.untoldEndings)
        scene.run(milliseconds: 2_000)
        #expect(scene.controller.commands.filter { $0 == .reset }.count == 2)
    }

    @Test func `a refused attempt counts as failed and is repeated`() throws {
        var scene = try Scene()
        let phone = try ScriptedPhone(1)
        scene.phones = [phone]
        scene.script.set(.refuse(.commandDisallowed), to: .leCreateConnection, times: 2)
        scene.run(milliseconds: 30_000)
        #expect(phone.linkCount == 1)
        #expect(scene.controller.commands.filter { $0 == .leCreateConnection }.count == 3)
    }

    @Test(arguments: [true, false])
    func `HP-C24: connection attempts never stop scanning for 30 s`(_ takesTurns: Bool) throws {
        var scene = try Scene()
        scene.controller.profile.sharesRoles = !takesTurns
        scene.phones = try (0..<40 as Range<UInt64>).map { number in
            let phone = try ScriptedPhone(number)
            phone.accepts = number.isMultiple(of: 8)
            phone.isMute = number.isMultiple(of: 16)
            return phone
        }
        var pause = 0
        var longestPause = 0
        for _ in 0..<3_000 {
            scene.run(milliseconds: 100)
            pause = scene.controller.isScanning ? 0 : pause + 100
            longestPause = max(longestPause, pause)
        }
        #expect(longestPause < 8_000)
    }

    @Test(arguments: [true, false])
    func `HP-C20, HP-C24, T12: probing 60 unsupported iPhones takes little of the scanning time`(
        _ accepts: Bool
    ) throws {
        var scene = try Scene()
        let overflow = [UInt8](hex: "02011a14ff4c000100000000000000000000200000000000")
        let phones = try (0..<60 as Range<UInt64>).map { number in
            let phone = try ScriptedPhone(number, advert: overflow)
            phone.hasHerald = false
            phone.accepts = accepts
            phone.every = 500
            return phone
        }
        scene.phones = phones
        var scanned = 0
        for _ in 0..<3_000 {
            scene.run(milliseconds: 100)
            if scene.controller.isScanning { scanned += 1 }
        }
        let attempts = scene.controller.commands.filter { $0 == .leCreateConnection }.count
        #expect(
            (accepts ? 20...51 : 5...10).contains(attempts), "ten a minute at most, a twentieth of the time")
        #expect(scanned > 2_800)
        #expect(phones.allSatisfy { $0.linkCount <= 1 })
    }

    @Test func `HP-C20, HP-C25: the one Herald iPhone among ten is found, and an advertised phone first`()
        throws
    {
        var scene = try Scene()
        let overflow = [UInt8](hex: "02011a14ff4c000100000000000000000000200000000000")
        let phones = try (0..<10 as Range<UInt64>).map { number in
            let phone = try ScriptedPhone(number, payload: [0x10, UInt8(number)], advert: overflow)
            phone.hasHerald = number == 7
            return phone
        }
        let open = try ScriptedPhone(100, payload: [0x10, 100])
        scene.phones = phones + [open]
        scene.run(milliseconds: 5_000)
        #expect(open.linkCount == 1)
        scene.run(milliseconds: 85_000)
        #expect(phones[7].linkCount == 1)
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.identified).count == 2)
    }
}
