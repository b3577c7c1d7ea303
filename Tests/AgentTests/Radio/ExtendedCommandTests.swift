import FixedMemory
import HCI
import Protocols
import Testing

@testable import Agent
@testable import Radio

/// Tests the order of the extended commands. A Bluetooth 5 controller refuses each of them out of order.
@Suite struct ExtendedCommandTests {
    private let settings: RadioSettings

    init() throws {
        settings = RadioSettings(address: Self.first, transmitPower: try #require(TransmitPower(dBm: 8)))
    }

    private static let first = DeviceAddress(value: 0xC000_0000_0001, isRandom: true)
    private static let second = DeviceAddress(value: 0xC000_0000_0002, isRandom: true)

    private func plan(_ address: DeviceAddress, _ type: AdvertisingType = .connectable) -> Roles.Plan {
        Roles.Plan(scans: true, advertises: true, advertisingType: type, turn: .herald, address: address)
    }

    /// The op codes sent until the plan is reached. Only `refused` fails.
    private func commands(
        _ roles: inout Roles, towards plan: Roles.Plan, refused: (opCode: OpCode, status: Status)? = nil
    ) -> [UInt16] {
        var sent: [UInt16] = []
        while sent.count < 20,
            let command = roles.nextCommand(towards: plan, settings: settings, nowMilliseconds: 0)
        {
            sent.append(command.opCode.rawValue)
            let status = refused?.opCode == command.opCode ? refused?.status ?? .success : .success
            let isTaken = roles.noteAnswer(
                to: command.opCode, status, linkCount: 0, nowMilliseconds: 0)
            #expect(isTaken)
        }
        return sent
    }

    private func roles() -> Roles {
        var roles = Roles(address: Self.first)
        roles.commands = .extended
        return roles
    }

    @Test("HP-C01: the set gets parameters, address and data before it advertises")
    func theSetIsCompleteBeforeItAdvertises() {
        var roles = roles()
        #expect(
            commands(&roles, towards: plan(Self.first)) == [0x2036, 0x2035, 0x2037, 0x2039, 0x2041, 0x2042])
        #expect(roles.isScanning && roles.isAdvertising)
    }

    @Test("HP-D06: a new address is set for the advertising set too, while scanning and advertising are off")
    func aNewAddressIsTheSetsToo() {
        var roles = roles()
        _ = commands(&roles, towards: plan(Self.first))
        let sent = commands(&roles, towards: plan(Self.second))
        #expect(sent == [0x2042, 0x2039, 0x2005, 0x2035, 0x2039, 0x2042])
        #expect(roles.address == Self.second)
    }

    @Test func otherParametersKeepTheSetsAddress() {
        var roles = roles()
        _ = commands(&roles, towards: plan(Self.first))
        #expect(commands(&roles, towards: plan(Self.first, .nonConnectable)) == [0x2039, 0x2036, 0x2039])
    }

    @Test func aSetThatTheControllerHasForgottenIsMadeAnew() {
        var roles = roles()
        let unknownSet = Status(rawValue: 0x42)
        #expect(
            commands(
                &roles, towards: plan(Self.first), refused: (.leSetAdvertisingSetRandomAddress, unknownSet))
                == [0x2036, 0x2035])
        #expect(roles.refusal?.opCode == .leSetAdvertisingSetRandomAddress)
        let command = roles.nextCommand(towards: plan(Self.first), settings: settings, nowMilliseconds: 1_000)
        #expect(command?.opCode == .leSetExtendedAdvertisingParameters)
    }

    @Test func theOlderCommandsKnowNoSet() {
        var roles = Roles(address: Self.first)
        #expect(commands(&roles, towards: plan(Self.first)) == [0x2006, 0x2008, 0x200a, 0x200b, 0x200c])
    }
}
