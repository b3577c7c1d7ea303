import FixedMemory
import HCI
import Protocols
import Schemes
import Testing

@testable import Agent
@testable import Radio

/// The commands for an advertising set beside the first, in the order in which a controller takes them.
@Suite struct FurtherSetTests {
    private let settings: RadioSettings

    init() throws {
        settings = RadioSettings(
            address: .staticRandom(seed: 1), transmitPower: try #require(TransmitPower(dBm: 8)))
    }

    private static func broadcast(_ number: UInt8) throws -> SetContent {
        let bytes = [UInt8](repeating: number, count: 20)
        return SetContent(
            turn: AdvertisingSlot(try ExposureNotificationIdentity(parsing: bytes.span)),
            type: .nonConnectable,
            address: .nonResolvable(seed: UInt64(number)))
    }

    private static func sonar(_ type: AdvertisingType) -> SetContent {
        SetContent(
            turn: AdvertisingSlot(scheme: .sonar, isHerald: true), type: type, address: .staticRandom(seed: 1)
        )
    }

    /// What is sent until `wanted` is reached: op code, and the set that it is for. All succeeds but what is refused.
    private func commands(
        _ set: inout AdditionalAdvertisingSet, towards wanted: SetContent?, refused: OpCode? = nil
    ) -> [String] {
        var sent: [String] = []
        while sent.count < 20, let command = set.nextCommand(towards: wanted, settings: settings) {
            // Of 7.8.56 the set comes behind the switch and the number of sets.
            let place = command.opCode == .leSetExtendedAdvertisingEnable ? 6 : 4
            sent.append("\(String(command.opCode.rawValue, radix: 16)) of \(command.packet[place])")
            let isTaken = set.noteAnswer(command.opCode == refused ? .commandDisallowed : .success)
            #expect(isTaken)
        }
        return sent
    }

    @Test func `It gets parameters, address and data before it advertises`() throws {
        var set = AdditionalAdvertisingSet(AdvertisingHandle(of: .exposureNotification))
        let sent = try commands(&set, towards: Self.broadcast(1))
        #expect(sent == ["2036 of 1", "2035 of 1", "2037 of 1", "2039 of 1"])
        #expect(set.isOn)
    }

    @Test func `Who is somebody else is off between the two`() throws {
        var set = AdditionalAdvertisingSet(AdvertisingHandle(of: .exposureNotification))
        _ = try commands(&set, towards: Self.broadcast(1))
        let sent = try commands(&set, towards: Self.broadcast(2))
        #expect(sent == ["2039 of 1", "2035 of 1", "2037 of 1", "2039 of 1"])
    }

    @Test func `Off and on again needs nothing but the switch`() throws {
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
    func `A controller that refuses one of them is not asked again`(refused: OpCode) throws {
        var set = AdditionalAdvertisingSet(AdvertisingHandle(of: .exposureNotification))
        _ = try commands(&set, towards: Self.broadcast(1), refused: refused)
        #expect(set.isRefused && !set.isOn)
        #expect(try commands(&set, towards: Self.broadcast(2)).isEmpty)
    }

    @Test func `Who connected may have ended it: it is stopped for sure, and starts anew`() {
        var set = AdditionalAdvertisingSet(AdvertisingHandle(of: .sonar))
        _ = commands(&set, towards: Self.sonar(.connectable))
        set.noteIncomingConnection()
        #expect(commands(&set, towards: Self.sonar(.connectable)) == ["2039 of 2", "2039 of 2"])
    }

    @Test func `Whether one may connect is not changed while it goes out`() {
        var set = AdditionalAdvertisingSet(AdvertisingHandle(of: .sonar))
        _ = commands(&set, towards: Self.sonar(.connectable))
        let sent = commands(&set, towards: Self.sonar(.nonConnectable))
        #expect(sent == ["2039 of 2", "2036 of 2", "2039 of 2"])
    }

    @Test func `Begun anew, it is stopped first, whatever is believed of it`() {
        var set = AdditionalAdvertisingSet(AdvertisingHandle(of: .sonar))
        _ = commands(&set, towards: Self.sonar(.connectable))
        set.restart()
        let sent = commands(&set, towards: Self.sonar(.connectable))
        #expect(sent == ["2039 of 2", "2036 of 2", "2035 of 2", "2037 of 2", "2039 of 2"])
    }

    @Test func `An answer to somebody else's command is not taken`() {
        var set = AdditionalAdvertisingSet(AdvertisingHandle(of: .exposureNotification))
        let isTaken = set.noteAnswer(.success)
        #expect(!isTaken)
    }
}
