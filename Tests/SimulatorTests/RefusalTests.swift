import Simulator
import Testing

/// What the controller refuses, and with which status. Source: Bluetooth Core 5.4, Vol 4, Part E, 7; what RootCanal can
/// be asked, Tests/Rig/test_controller_model.py compares with it.
@Suite struct RefusalTests {
    private static let success: UInt8 = 0x00
    private static let unknownCommand: UInt8 = 0x01
    private static let unknownConnection: UInt8 = 0x02
    private static let limitExceeded: UInt8 = 0x09
    private static let disallowed: UInt8 = 0x0c
    private static let unsupported: UInt8 = 0x11
    private static let invalid: UInt8 = 0x12

    private static let scanParameters: [UInt8] = [0, 0x60, 0, 0x50, 0, 1, 0]
    private static let advertising: [UInt8] = [0xa0, 0, 0xa0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 7, 0]
    private static let address: [UInt8] = [1, 2, 3, 4, 5, 0xc6]
    private static let nobody: [UInt8] = [9, 9, 9, 9, 9, 0xc9]

    private func makeHost(_ change: (inout ControllerProfile) -> Void = { _ in }) -> ControllerHost {
        var profile = ControllerProfile()
        change(&profile)
        let host = ControllerHost(profile, in: World(seed: 1))
        #expect(host.perform(0x0c03) == Self.success)
        #expect(host.perform(0x0c01, [0x10, 0x80, 0, 2, 0, 0, 0, 0x20]) == Self.success)
        #expect(host.perform(0x2005, Self.address) == Self.success)
        return host
    }

    private func connection(to peer: [UInt8]) -> [UInt8] {
        [0x60, 0, 0x30, 0, 0, 1] + peer + [1, 24, 0, 40, 0, 0, 0, 0xf4, 1, 0, 0, 0, 0]
    }

    private func replacing(_ index: Int, _ value: UInt8, in bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        bytes[index] = value
        return bytes
    }

    @Test func commandsThatNobodyKnows() {
        #expect(makeHost().perform(0x23f0) == Self.unknownCommand)
    }

    @Test func commandsWithoutAllTheirParameters() {
        let host = makeHost()
        #expect(host.perform(0x200c, [1]) == Self.invalid)
        #expect(host.controller.violations.count == 1)
    }

    @Test(
        arguments: [(0, 2, 0x12), (5, 4, 0x12), (6, 4, 0x12), (1, 3, 0x11), (1, 0x40, 0x12)]
            as [(Int, UInt8, UInt8)])
    func scanParametersThatCannotBe(index: Int, value: UInt8, status: UInt8) {
        let host = makeHost()
        #expect(host.perform(0x200b, replacing(index, value, in: Self.scanParameters)) == status)
    }

    @Test(
        arguments: [
            (0, 0x1f, 0x11), (2, 0x90, 0x12), (4, 5, 0x12), (5, 4, 0x12), (13, 0, 0x12), (13, 8, 0x12),
            (14, 4, 0x12),
        ] as [(Int, UInt8, UInt8)])
    func advertisingParametersThatCannotBe(index: Int, value: UInt8, status: UInt8) {
        let host = makeHost()
        #expect(host.perform(0x2006, replacing(index, value, in: Self.advertising)) == status)
    }

    @Test(arguments: [(7, Self.invalid), (9, Self.success)] as [(UInt8, UInt8)])
    func advertsOfNoConnectionEvery20MillisecondsBefore5(version: UInt8, status: UInt8) {
        let host = makeHost { $0.version = version }
        #expect(host.perform(0x2006, [0x20, 0, 0x20, 0, 3] + Self.advertising[5...]) == status)
    }

    @Test func moreThan31BytesOfData() {
        let host = makeHost()
        #expect(host.perform(0x2008, [32] + [UInt8](repeating: 0, count: 31)) == Self.invalid)
    }

    @Test func enablingWithoutARandomAddress() {
        let host = ControllerHost(in: World(seed: 1))
        #expect(host.perform(0x200b, Self.scanParameters) == Self.success)
        #expect(host.perform(0x200c, [1, 0]) == Self.invalid)
        #expect(host.perform(0x2006, Self.advertising) == Self.success)
        #expect(host.perform(0x200a, [1]) == Self.invalid)
        #expect(host.perform(0x200d, connection(to: Self.nobody)) == Self.invalid)
    }

    @Test func changesWhileScanning() {
        let host = makeHost()
        #expect(host.perform(0x200b, Self.scanParameters) == Self.success)
        #expect(host.perform(0x200c, [1, 0]) == Self.success)
        #expect(host.perform(0x2005, Self.address) == Self.disallowed)
        #expect(host.perform(0x200b, Self.scanParameters) == Self.disallowed)
    }

    @Test func changesWhileAdvertising() {
        let host = makeHost()
        #expect(host.perform(0x2006, Self.advertising) == Self.success)
        #expect(host.perform(0x200a, [1]) == Self.success)
        #expect(host.perform(0x2005, Self.address) == Self.disallowed)
        #expect(host.perform(0x2006, Self.advertising) == Self.disallowed)
        #expect(host.perform(0x2008, [UInt8](repeating: 0, count: 32)) == Self.disallowed)
    }

    @Test func oneRoleAtATimeWhereTheMakerWantsItSo() {
        let host = makeHost { $0.sharesRoles = false }
        #expect(host.perform(0x200a, [1]) == Self.success)
        #expect(host.perform(0x200c, [1, 0]) == Self.disallowed)
    }

    // MARK: Extended commands

    private static let extendedScanParameters: [UInt8] = [1, 0, 1, 0, 0x60, 0, 0x50, 0]
    private static let extendedAdvertising: [UInt8] =
        [0, 0x13, 0, 0xa0, 0, 0, 0xa0, 0, 0, 7, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 1, 0, 1, 0, 0]

    @Test func extendedCommandsOfAControllerThatHasNone() {
        #expect(makeHost().perform(0x2041, Self.extendedScanParameters) == Self.unknownCommand)
    }

    @Test func oneFamilyOfCommandsUntilTheNextReset() {
        let host = makeHost { $0.hasExtendedCommands = true }
        #expect(host.perform(0x2041, Self.extendedScanParameters) == Self.success)
        #expect(host.perform(0x200b, Self.scanParameters) == Self.disallowed)
        #expect(host.perform(0x0c03) == Self.success)
        #expect(host.perform(0x200b, Self.scanParameters) == Self.success)
        #expect(host.perform(0x2042, [1, 0, 0, 0, 0, 0]) == Self.disallowed)
    }

    @Test func advertisingSetsThatAreNot() {
        let host = makeHost { $0.hasExtendedCommands = true }
        let unknownSet: UInt8 = 0x42
        #expect(host.perform(0x2035, [0] + Self.address) == unknownSet)
        #expect(host.perform(0x2039, [1, 1, 0, 0, 0, 0]) == unknownSet)
        #expect(host.perform(0x2036, replacing(0, 1, in: Self.extendedAdvertising)) == 0x07)
        #expect(host.perform(0x2036, Self.extendedAdvertising) == Self.success)
        // Without an address of its own it cannot be one's.
        #expect(host.perform(0x2039, [1, 1, 0, 0, 0, 0]) == Self.invalid)
        #expect(host.perform(0x2035, [0] + Self.address) == Self.success)
        #expect(host.perform(0x2039, [1, 1, 0, 0, 0, 0]) == Self.success)
        #expect(host.perform(0x2035, [0] + Self.address) == Self.disallowed)
    }

    @Test func aSecondAttemptAtAConnection() {
        let host = makeHost()
        #expect(host.perform(0x200e) == Self.disallowed)
        #expect(host.perform(0x200d, connection(to: Self.nobody)) == Self.success)
        #expect(host.perform(0x200d, connection(to: Self.nobody)) == Self.disallowed)
        #expect(host.perform(0x2005, Self.address) == Self.disallowed)
        #expect(host.perform(0x200e) == Self.success)
    }

    @Test func handlesThatAreNot() {
        let host = makeHost()
        #expect(host.perform(0x0406, [1, 0, 0x13]) == Self.unknownConnection)
        #expect(
            host.perform(0x2013, [1, 0, 24, 0, 40, 0, 0, 0, 0xf4, 1, 0, 0, 0, 0]) == Self.unknownConnection)
        #expect(host.perform(0x201b, [1, 0]) == Self.unknownConnection)
    }

    @Test func aCommandBeforeTheAnswerToTheLast() {
        let host = makeHost()
        host.send(0x1001)
        host.send(0x1001)
        #expect(host.controller.violations.count == 1)
    }

    // MARK: With a link

    private func makeLink(_ change: (inout ControllerProfile) -> Void = { _ in }) -> (ControllerHost, [UInt8])
    {
        let host = makeHost(change)
        let phone = SimulatedPhone(
            "phone", .mute, at: Route(standingAt: Position(1, 0)), in: host.world)
        _ = host.perform(0x2001, [1, 0, 0, 0, 0, 0, 0, 0])
        let peer = (0..<6).map { UInt8(truncatingIfNeeded: phone.address.value >> UInt64(8 * $0)) }
        #expect(host.perform(0x200d, connection(to: peer)) == Self.success)
        host.run(for: .seconds(3))
        #expect(host.controller.truth.linkCount == 1)
        return (host, peer)
    }

    @Test func aSecondLinkWithTheSamePeer() {
        let (host, peer) = makeLink()
        #expect(host.perform(0x200d, connection(to: peer)) == 0x0b)
    }

    @Test func moreLinksThanThereAre() {
        let (host, _) = makeLink { $0.linkLimit = 1 }
        #expect(host.perform(0x200d, connection(to: Self.nobody)) == Self.limitExceeded)
        #expect(host.perform(0x200a, [1]) == Self.limitExceeded)
    }

    @Test func aDisconnectionForNoReason() {
        let (host, _) = makeLink()
        #expect(host.perform(0x0406, [0, 0, 0]) == Self.invalid)
    }

    @Test func moreDataThanBuffers() {
        let (host, _) = makeLink()
        for _ in 0..<4 { host.send([2, 0, 0, 4, 0, 0, 0, 4, 0]) }
        #expect(host.run(for: .milliseconds(5)).contains { $0.starts(with: [4, 0x1a]) })
        #expect(host.controller.violations.count == 1)
    }

    /// On the air it is three packets.
    @Test func aLongPacketIsDeliveredWhenAllItsPiecesAre() {
        let (host, _) = makeLink { $0.aclByteCount = 251 }
        host.send([2, 0, 0, 60, 0, 56, 0, 4, 0] + [UInt8](repeating: 0, count: 56))
        let events = host.run(for: .milliseconds(200)).filter { $0.starts(with: [4, 0x13]) }
        #expect(events == [[4, 0x13, 5, 1, 0, 0, 1, 0]] && host.controller.violations == [])
    }

    @Test func buffersComeBackWhenDataHasArrived() {
        let (host, _) = makeLink()
        for _ in 0..<3 { host.send([2, 0, 0, 4, 0, 0, 0, 4, 0]) }
        let events = host.run(for: .milliseconds(200)).filter { $0.starts(with: [4, 0x13]) }
        #expect(events.count == 3 && host.controller.violations == [])
    }

    @Test func aPeerThatIsGoneEndsTheLinkAfterItsTimeOut() {
        let (host, _) = makeLink()
        let start = host.world.now
        let phone = host.controller.links[0].peer(of: host.controller)
        phone.setPresent(false)
        host.run(for: .seconds(8))
        let end = host.answers.first { $0.time >= start && $0.bytes.starts(with: [4, 0x05]) }
        #expect(end?.bytes.last == 0x08)
        #expect(end.map { ($0.time - start).seconds > 4 && ($0.time - start).seconds < 6 } == true)
    }

    @Test func handlesAreUsedAgain() {
        let (host, peer) = makeLink()
        #expect(host.perform(0x0406, [0, 0, 0x13]) == Self.success)
        host.run(for: .seconds(1))
        #expect(host.perform(0x200d, connection(to: peer)) == Self.success)
        host.run(for: .seconds(3))
        #expect(host.controller.truth.linkCount == 2)
    }
}
