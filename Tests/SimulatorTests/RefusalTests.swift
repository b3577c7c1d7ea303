import HCI
import Simulator
import Testing

/// The commands that the controller refuses, and the status it gives. Source:
/// Bluetooth Core 5.4, Vol 4, Part E, 7. Where RootCanal can be tested, Tests/Rig/test_controller_model.py
/// compares the two.
@Suite struct RefusalTests {
    private static let connectionExists = Status(rawValue: 0x0b)
    private static let memoryCapacityExceeded = Status(rawValue: 0x07)
    private static let unknownAdvertisingIdentifier = Status(rawValue: 0x42)

    private static let scanParameters: [UInt8] = [0, 0x60, 0, 0x50, 0, 1, 0]
    private static let advertising: [UInt8] = [0xa0, 0, 0xa0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 7, 0]
    private static let address: [UInt8] = [1, 2, 3, 4, 5, 0xc6]
    private static let nobody: [UInt8] = [9, 9, 9, 9, 9, 0xc9]

    private func makeHost(_ change: (inout ControllerProfile) -> Void = { _ in }) -> ControllerHost {
        var profile = ControllerProfile()
        change(&profile)
        let host = ControllerHost(profile, in: World(seed: 1))
        #expect(host.perform(.reset) == .success)
        #expect(host.perform(.setEventMask, [0x10, 0x80, 0, 2, 0, 0, 0, 0x20]) == .success)
        #expect(host.perform(.leSetRandomAddress, Self.address) == .success)
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

    @Test func `unknown commands are refused`() {
        #expect(makeHost().perform(OpCode(rawValue: 0x23f0)) == .unknownCommand)
    }

    @Test func `commands with missing parameters are refused`() {
        let host = makeHost()
        #expect(host.perform(.leSetScanEnable, [1]) == .invalidParameters)
        #expect(host.controller.violations.count == 1)
    }

    @Test(
        arguments: [
            (0, 2, .invalidParameters), (5, 4, .invalidParameters), (6, 4, .invalidParameters),
            (1, 3, .unsupportedFeature), (1, 0x40, .invalidParameters),
        ]
            as [(Int, UInt8, Status)])
    func `invalid scan parameters are refused`(index: Int, value: UInt8, status: Status) {
        let host = makeHost()
        #expect(
            host.perform(.leSetScanParameters, replacing(index, value, in: Self.scanParameters)) == status)
    }

    @Test(
        arguments: [
            (0, 0x1f, .unsupportedFeature), (2, 0x90, .invalidParameters), (4, 5, .invalidParameters),
            (5, 4, .invalidParameters), (13, 0, .invalidParameters), (13, 8, .invalidParameters),
            (14, 4, .invalidParameters),
        ] as [(Int, UInt8, Status)])
    func `invalid advertising parameters are refused`(index: Int, value: UInt8, status: Status) {
        let host = makeHost()
        #expect(
            host.perform(.leSetAdvertisingParameters, replacing(index, value, in: Self.advertising)) == status
        )
    }

    @Test(arguments: [(7, .invalidParameters), (9, .success)] as [(UInt8, Status)])
    func `non-connectable adverts every 20 ms are refused before Bluetooth 5`(version: UInt8, status: Status)
    {
        let host = makeHost { $0.version = version }
        #expect(
            host.perform(.leSetAdvertisingParameters, [0x20, 0, 0x20, 0, 3] + Self.advertising[5...])
                == status)
    }

    @Test func `more than 31 bytes of data are refused`() {
        let host = makeHost()
        #expect(
            host.perform(.leSetAdvertisingData, [32] + [UInt8](repeating: 0, count: 31)) == .invalidParameters
        )
    }

    @Test func `enabling without a random address is refused`() {
        let host = ControllerHost(in: World(seed: 1))
        #expect(host.perform(.leSetScanParameters, Self.scanParameters) == .success)
        #expect(host.perform(.leSetScanEnable, [1, 0]) == .invalidParameters)
        #expect(host.perform(.leSetAdvertisingParameters, Self.advertising) == .success)
        #expect(host.perform(.leSetAdvertisingEnable, [1]) == .invalidParameters)
        #expect(host.perform(.leCreateConnection, connection(to: Self.nobody)) == .invalidParameters)
    }

    @Test func `changes during a scan are refused`() {
        let host = makeHost()
        #expect(host.perform(.leSetScanParameters, Self.scanParameters) == .success)
        #expect(host.perform(.leSetScanEnable, [1, 0]) == .success)
        #expect(host.perform(.leSetRandomAddress, Self.address) == .commandDisallowed)
        #expect(host.perform(.leSetScanParameters, Self.scanParameters) == .commandDisallowed)
    }

    @Test func `changes during advertising are refused`() {
        let host = makeHost()
        #expect(host.perform(.leSetAdvertisingParameters, Self.advertising) == .success)
        #expect(host.perform(.leSetAdvertisingEnable, [1]) == .success)
        #expect(host.perform(.leSetRandomAddress, Self.address) == .commandDisallowed)
        #expect(host.perform(.leSetAdvertisingParameters, Self.advertising) == .commandDisallowed)
        #expect(host.perform(.leSetAdvertisingData, [UInt8](repeating: 0, count: 32)) == .commandDisallowed)
    }

    @Test func `a second role at a time is refused if the maker allows only one`() {
        let host = makeHost { $0.sharesRoles = false }
        #expect(host.perform(.leSetAdvertisingEnable, [1]) == .success)
        #expect(host.perform(.leSetScanEnable, [1, 0]) == .commandDisallowed)
    }

    // MARK: Extended commands

    private static let extendedScanParameters: [UInt8] = [1, 0, 1, 0, 0x60, 0, 0x50, 0]
    private static let extendedAdvertising: [UInt8] =
        [0, 0x13, 0, 0xa0, 0, 0, 0xa0, 0, 0, 7, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 1, 0, 1, 0, 0]

    @Test func `a controller without extended commands refuses them`() {
        #expect(
            makeHost().perform(.leSetExtendedScanParameters, Self.extendedScanParameters) == .unknownCommand)
    }

    @Test func `the other family of commands is refused until the next reset`() {
        let host = makeHost { $0.hasExtendedCommands = true }
        #expect(host.perform(.leSetExtendedScanParameters, Self.extendedScanParameters) == .success)
        #expect(host.perform(.leSetScanParameters, Self.scanParameters) == .commandDisallowed)
        #expect(host.perform(.reset) == .success)
        #expect(host.perform(.leSetScanParameters, Self.scanParameters) == .success)
        #expect(host.perform(.leSetExtendedScanEnable, [1, 0, 0, 0, 0, 0]) == .commandDisallowed)
    }

    @Test func `unknown advertising sets are refused`() {
        let host = makeHost { $0.hasExtendedCommands = true }
        #expect(
            host.perform(.leSetAdvertisingSetRandomAddress, [0] + Self.address)
                == Self.unknownAdvertisingIdentifier)
        #expect(
            host.perform(.leSetExtendedAdvertisingEnable, [1, 1, 0, 0, 0, 0])
                == Self.unknownAdvertisingIdentifier)
        #expect(
            host.perform(.leSetExtendedAdvertisingParameters, replacing(0, 1, in: Self.extendedAdvertising))
                == Self.memoryCapacityExceeded)
        #expect(host.perform(.leSetExtendedAdvertisingParameters, Self.extendedAdvertising) == .success)
        // A set without an address of its own cannot use one.
        #expect(host.perform(.leSetExtendedAdvertisingEnable, [1, 1, 0, 0, 0, 0]) == .invalidParameters)
        #expect(host.perform(.leSetAdvertisingSetRandomAddress, [0] + Self.address) == .success)
        #expect(host.perform(.leSetExtendedAdvertisingEnable, [1, 1, 0, 0, 0, 0]) == .success)
        #expect(host.perform(.leSetAdvertisingSetRandomAddress, [0] + Self.address) == .commandDisallowed)
    }

    @Test func `a second connection attempt is refused`() {
        let host = makeHost()
        #expect(host.perform(.leCreateConnectionCancel) == .commandDisallowed)
        #expect(host.perform(.leCreateConnection, connection(to: Self.nobody)) == .success)
        #expect(host.perform(.leCreateConnection, connection(to: Self.nobody)) == .commandDisallowed)
        #expect(host.perform(.leSetRandomAddress, Self.address) == .commandDisallowed)
        #expect(host.perform(.leCreateConnectionCancel) == .success)
    }

    @Test func `unknown handles are refused`() {
        let host = makeHost()
        #expect(host.perform(.disconnect, [1, 0, 0x13]) == .unknownConnection)
        #expect(
            host.perform(.leConnectionUpdate, [1, 0, 24, 0, 40, 0, 0, 0, 0xf4, 1, 0, 0, 0, 0])
                == .unknownConnection)
        #expect(host.perform(.leLongTermKeyRequestNegativeReply, [1, 0]) == .unknownConnection)
    }

    @Test func `a command before the answer to the last one is a violation`() {
        let host = makeHost()
        host.send(.readLocalVersion)
        host.send(.readLocalVersion)
        #expect(host.controller.violations.count == 1)
    }

    // MARK: With a link

    private func makeLink(_ change: (inout ControllerProfile) -> Void = { _ in }) -> (ControllerHost, [UInt8])
    {
        let host = makeHost(change)
        let phone = SimulatedPhone(
            "phone", .mute, at: Route(standingAt: Position(1, 0)), in: host.world)
        _ = host.perform(.leSetEventMask, [1, 0, 0, 0, 0, 0, 0, 0])
        let peer = (0..<6).map { UInt8(truncatingIfNeeded: phone.address.value >> UInt64(8 * $0)) }
        #expect(host.perform(.leCreateConnection, connection(to: peer)) == .success)
        host.run(for: .seconds(3))
        #expect(host.controller.truth.linkCount == 1)
        return (host, peer)
    }

    @Test func `a second link with the same peer is refused`() {
        let (host, peer) = makeLink()
        #expect(host.perform(.leCreateConnection, connection(to: peer)) == Self.connectionExists)
    }

    @Test func `more links than the maximum are refused`() {
        let (host, _) = makeLink { $0.linkLimit = 1 }
        #expect(host.perform(.leCreateConnection, connection(to: Self.nobody)) == .connectionLimitExceeded)
        #expect(host.perform(.leSetAdvertisingEnable, [1]) == .connectionLimitExceeded)
    }

    @Test func `a disconnection with an invalid reason is refused`() {
        let (host, _) = makeLink()
        #expect(host.perform(.disconnect, [0, 0, 0]) == .invalidParameters)
    }

    @Test func `more data than buffers are a violation`() {
        let (host, _) = makeLink()
        for _ in 0..<4 { host.send([2, 0, 0, 4, 0, 0, 0, 4, 0]) }
        #expect(host.run(for: .milliseconds(5)).contains { $0.starts(with: [4, 0x1a]) })
        #expect(host.controller.violations.count == 1)
    }

    /// The packet is sent as three packets on the air.
    @Test func `a long packet is delivered when all its fragments have arrived`() {
        let (host, _) = makeLink { $0.aclByteCount = 251 }
        host.send([2, 0, 0, 60, 0, 56, 0, 4, 0] + [UInt8](repeating: 0, count: 56))
        let events = host.run(for: .milliseconds(200)).filter { $0.starts(with: [4, 0x13]) }
        #expect(events == [[4, 0x13, 5, 1, 0, 0, 1, 0]] && host.controller.violations == [])
    }

    @Test func `buffers are returned when data has arrived`() {
        let (host, _) = makeLink()
        for _ in 0..<3 { host.send([2, 0, 0, 4, 0, 0, 0, 4, 0]) }
        let events = host.run(for: .milliseconds(200)).filter { $0.starts(with: [4, 0x13]) }
        #expect(events.count == 3 && host.controller.violations == [])
    }

    @Test func `the loss of a peer ends the link after its supervision timeout`() {
        let (host, _) = makeLink()
        let start = host.world.now
        let phone = host.controller.links[0].peer(of: host.controller)
        phone.setPresent(false)
        host.run(for: .seconds(8))
        let end = host.answers.first { $0.time >= start && $0.bytes.starts(with: [4, 0x05]) }
        #expect(end?.bytes.last == 0x08)
        #expect(end.map { ($0.time - start).seconds > 4 && ($0.time - start).seconds < 6 } == true)
    }

    @Test func `handles are used again`() {
        let (host, peer) = makeLink()
        #expect(host.perform(.disconnect, [0, 0, 0x13]) == .success)
        host.run(for: .seconds(1))
        #expect(host.perform(.leCreateConnection, connection(to: peer)) == .success)
        host.run(for: .seconds(3))
        #expect(host.controller.truth.linkCount == 2)
    }

    /// noble/noble #204.
    @Test(arguments: [(.leSetScanEnable, [0, 0]), (.leSetAdvertisingEnable, [0])] as [(OpCode, [UInt8])])
    func `some controllers refuse to disable a role that is off`(opCode: OpCode, off: [UInt8]) {
        #expect(makeHost().perform(opCode, off) == .success)
        let host = makeHost { $0.refusesSecondDisable = true }
        #expect(host.perform(.leSetScanParameters, Self.scanParameters) == .success)
        #expect(host.perform(.leSetAdvertisingParameters, Self.advertising) == .success)
        #expect(host.perform(opCode, off) == .commandDisallowed)
        #expect(host.perform(opCode, [1] + off.dropFirst()) == .success)
        #expect(host.perform(opCode, off) == .success)
        #expect(host.perform(opCode, off) == .commandDisallowed)
    }

    /// PureSwift/BluetoothLinux #40.
    @Test(
        arguments: [
            (.leSetScanEnable, [1, 0], .leSetScanParameters, scanParameters),
            (.leSetAdvertisingEnable, [1], .leSetAdvertisingParameters, advertising),
        ]
            as [(OpCode, [UInt8], OpCode, [UInt8])])
    func `some controllers enable a role only after its parameters were set`(
        opCode: OpCode, on: [UInt8], setting: OpCode, parameters: [UInt8]
    ) {
        let host = makeHost { $0.wantsParametersFirst = true }
        #expect(host.perform(opCode, on) == .invalidParameters)
        #expect(host.perform(setting, parameters) == .success)
        #expect(host.perform(opCode, on) == .success)
        #expect(host.perform(.reset) == .success)
        #expect(host.perform(.leSetRandomAddress, Self.address) == .success)
        #expect(host.perform(opCode, on) == .invalidParameters)
    }
}
