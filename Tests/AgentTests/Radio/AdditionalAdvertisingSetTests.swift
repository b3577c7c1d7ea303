import FixedMemory
import HCI
import Protocols
import Schemes
import Testing

@testable import Agent
@testable import Radio

/// Tests the order of the commands for an additional advertising set.
@Suite struct FurtherSetTests {
    private let settings: RadioSettings

    init() throws {
        settings = RadioSettings(
            address: .staticRandom(seed: 1), transmitPower: try #require(TransmitPower(dBm: 8)))
    }

    private static func broadcast(_ number: UInt8) throws -> SetContent {
        let bytes = [UInt8](repeating: number, count: 20)
        return SetContent(
            slot: AdvertisingSlot(try ExposureNotificationIdentity(parsing: bytes.span)),
            type: .nonConnectable,
            address: .nonResolvable(seed: UInt64(number)))
    }

    private static func sonar(_ type: AdvertisingType) -> SetContent {
        SetContent(
            slot: AdvertisingSlot(scheme: .sonar, isHerald: true), type: type, address: .staticRandom(seed: 1)
        )
    }

    /// The commands sent until the set reaches `wanted`, each with op code and set. Only `refused` fails.
    private func commands(
        _ set: inout AdditionalAdvertisingSet, towards wanted: SetContent?, refused: OpCode? = nil
    ) -> [String] {
        var sent: [String] = []
        while sent.count < 20, let command = set.nextCommand(towards: wanted, settings: settings) {
            // In the command of 7.8.56 the set's handle follows the enable flag and the number of sets.
            let place = command.opCode == .leSetExtendedAdvertisingEnable ? 6 : 4
            sent.append("\(String(command.opCode.rawValue, radix: 16)) of \(command.packet[place])")
            let isTaken = set.didReceiveAnswer(command.opCode == refused ? .commandDisallowed : .success)
            #expect(isTaken)
        }
        return sent
    }

    @Test func `A set gets parameters, address and data before it advertises`() throws {
        var set = AdditionalAdvertisingSet(AdvertisingHandle(of: .exposureNotification))
        let sent = try commands(&set, towards: Self.broadcast(1))
        #expect(sent == ["2036 of 1", "2035 of 1", "2037 of 1", "2039 of 1"])
        #expect(set.isOn)
    }

    @Test func `A set is disabled while its address and data change`() throws {
        var set = AdditionalAdvertisingSet(AdvertisingHandle(of: .exposureNotification))
        _ = try commands(&set, towards: Self.broadcast(1))
        let sent = try commands(&set, towards: Self.broadcast(2))
        #expect(sent == ["2039 of 1", "2035 of 1", "2037 of 1", "2039 of 1"])
    }

    @Test func `A set that is disabled and enabled again needs no other command`() throws {
        var set = AdditionalAdvertisingSet(AdvertisingHandle(of: .exposureNotification))
        _ = try commands(&set, towards: Self.broadcast(1))
        #expect(commands(&set, towards: nil) == ["2039 of 1"])
        #expect(!set.isOn)
        #expect(try commands(&set, towards: Self.broadcast(1)) == ["2039 of 1"])
    }

    @Test(arguments: [
        OpCode.leSetExtendedAdvertisingParameters, .leSetAdvertisingSetRandomAddress,
        .leSetExtendedAdvertisingData, .leSetExtendedAdvertisingEnable,
    ])
    func `A set of which a command was refused sends no more commands`(refused: OpCode) throws {
        var set = AdditionalAdvertisingSet(AdvertisingHandle(of: .exposureNotification))
        _ = try commands(&set, towards: Self.broadcast(1), refused: refused)
        #expect(set.isRefused && !set.isOn)
        #expect(try commands(&set, towards: Self.broadcast(2)).isEmpty)
    }

    @Test
    func `After an incoming connection, which may have ended the set, it is disabled and enabled again`() {
        var set = AdditionalAdvertisingSet(AdvertisingHandle(of: .sonar))
        _ = commands(&set, towards: Self.sonar(.connectable))
        set.didAcceptConnection()
        #expect(commands(&set, towards: Self.sonar(.connectable)) == ["2039 of 2", "2039 of 2"])
    }

    @Test func `A set is disabled while it changes between connectable and non-connectable`() {
        var set = AdditionalAdvertisingSet(AdvertisingHandle(of: .sonar))
        _ = commands(&set, towards: Self.sonar(.connectable))
        let sent = commands(&set, towards: Self.sonar(.nonConnectable))
        #expect(sent == ["2039 of 2", "2036 of 2", "2039 of 2"])
    }

    @Test func `After a restart, a set is disabled first, and then configured completely`() {
        var set = AdditionalAdvertisingSet(AdvertisingHandle(of: .sonar))
        _ = commands(&set, towards: Self.sonar(.connectable))
        set.restart()
        let sent = commands(&set, towards: Self.sonar(.connectable))
        #expect(sent == ["2039 of 2", "2036 of 2", "2035 of 2", "2037 of 2", "2039 of 2"])
    }

    @Test func `A set without a pending command does not take an answer`() {
        var set = AdditionalAdvertisingSet(AdvertisingHandle(of: .exposureNotification))
        let isTaken = set.didReceiveAnswer(.success)
        #expect(!isTaken)
    }
}
