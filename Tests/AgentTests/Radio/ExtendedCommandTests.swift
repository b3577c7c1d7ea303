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

    private func plan(_ address: DeviceAddress, _ type: AdvertisingType = .connectable) -> AirSchedule.Plan {
        AirSchedule.Plan(
            scans: true, timing: settings.duty.near, advertises: true, advertisingType: type, slot: .herald,
            address: address)
    }

    /// The op codes sent until the plan is reached. Only `refused` fails.
    private func commands(
        _ schedule: inout AirSchedule, towards plan: AirSchedule.Plan,
        refused: (opCode: OpCode, status: Status)? = nil
    ) -> [UInt16] {
        var sent: [UInt16] = []
        while sent.count < 20,
            let command = schedule.nextCommand(towards: plan, settings: settings, now: 0)
        {
            sent.append(command.opCode.rawValue)
            let status = refused?.opCode == command.opCode ? refused?.status ?? .success : .success
            let isTaken = schedule.didReceiveAnswer(to: command.opCode, status, linkCount: 0, now: 0)
            #expect(isTaken)
        }
        return sent
    }

    private func schedule() -> AirSchedule {
        var schedule = AirSchedule(address: Self.first)
        schedule.commands = .extended
        return schedule
    }

    @Test func `HP-C01: the set gets parameters, address and data before it advertises`() {
        var schedule = schedule()
        #expect(
            commands(&schedule, towards: plan(Self.first)) == [
                0x2036, 0x2035, 0x2037, 0x2039, 0x2041, 0x2042, 0x2041,
            ])
        #expect(schedule.scanner.isScanning && schedule.advertiser.isAdvertising)
    }

    @Test func `HP-D06: the advertising set gets a new address too, while scanning and advertising are off`()
    {
        var schedule = schedule()
        _ = commands(&schedule, towards: plan(Self.first))
        let sent = commands(&schedule, towards: plan(Self.second))
        #expect(sent == [0x2042, 0x2039, 0x2005, 0x2036, 0x2035, 0x2039, 0x2042])
        #expect(schedule.address == Self.second)
    }

    @Test func `new parameters keep the advertising set's address`() {
        var schedule = schedule()
        _ = commands(&schedule, towards: plan(Self.first))
        #expect(commands(&schedule, towards: plan(Self.first, .nonConnectable)) == [0x2039, 0x2036, 0x2039])
    }

    @Test func `an advertising set unknown to the controller is created again`() {
        var schedule = schedule()
        let unknownSet = Status(rawValue: 0x42)
        #expect(
            commands(
                &schedule, towards: plan(Self.first), refused: (.leSetAdvertisingSetRandomAddress, unknownSet)
            )
                == [0x2036, 0x2035])
        #expect(schedule.refusal?.opCode == .leSetAdvertisingSetRandomAddress)
        let command = schedule.nextCommand(towards: plan(Self.first), settings: settings, now: 1_000)
        #expect(command?.opCode == .leSetExtendedAdvertisingParameters)
    }

    @Test func `the legacy commands use no advertising set`() {
        var schedule = AirSchedule(address: Self.first)
        #expect(
            commands(&schedule, towards: plan(Self.first)) == [
                0x2006, 0x2008, 0x200a, 0x200b, 0x200c, 0x200b,
            ])
    }
}
