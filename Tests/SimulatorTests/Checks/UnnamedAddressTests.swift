import HCI
import Testing

@testable import Simulator

/// Reports of one phone under three addresses, with one pseudo device address. Under the second address a
/// report without data comes first. The agent then knows the phone by that address, because an advert never
/// renames a peer. So the log has an encounter of its own for it, with all readings.
@Suite struct UnnamedAddressTests {
    private static let addresses = (1...3).map { DeviceAddress.privateRandom(seed: $0) }
    private static let pseudoAddress: [UInt8] = [0xc3, 0xdf, 0x51, 0xe9, 0x43, 0xdb]

    private let checked = CheckedBoard(options: {
        $0.transport = .packets
        $0.driftPPM = 0
        $0.logSoon()
    })

    private static func packet(_ address: DeviceAddress) -> [UInt8] {
        CheckedBoard.report(of: address, FieldAdverts.pseudoAddress(pseudoAddress, isLegacy: false))
    }

    private func send(_ packet: [UInt8], count: Int) {
        for _ in 0..<count {
            checked.controller.inject(packet)
            checked.run(.milliseconds(500))
        }
    }

    private func finish() -> [UInt32] {
        defer { checked.end() }
        return checked.readingsOfEncounters()
    }

    /// Sends the phone's reports under each address, and returns the readings of each encounter in the log.
    /// - Parameter missed: the address under which the agent misses a report of which the check knows.
    private func readings(missed: Int? = nil) -> [UInt32] {
        checked.beginBesidePhone()
        for (index, address) in Self.addresses.enumerated() {
            if index == 1 { send(CheckedBoard.report(of: address, []), count: 24) }
            send(Self.packet(address), count: 24)
            if missed == index { checked.controller.transport.onTaken?(Self.packet(address)) }
            send(Self.packet(address), count: 8)
        }
        return finish()
    }

    @Test func `an address that was heard without a pseudo address first has its own encounter`() {
        #expect(readings() == [32, 32, 32])
        #expect(checked.checker.violations.map(\.description) == [])
    }

    @Test(arguments: [0, 1, 2]) func `a reading that the agent misses is found under each`(missed: Int) {
        #expect(readings(missed: missed) == [32, 32, 32])
        let violations = checked.checker.violations.map(\.description)
        #expect(violations.contains { $0.contains("heard 33 times") && $0.contains("log says 32 times") })
    }

    /// The agent forgets a phone that it has not read when its encounter ends.
    @Test func `an address that the agent has forgotten may get a pseudo address`() {
        checked.beginBesidePhone()
        send(CheckedBoard.report(of: Self.addresses[1], FieldAdverts.android), count: 4)
        checked.run(.seconds(60))
        for address in Self.addresses[1...] { send(Self.packet(address), count: 32) }
        #expect(finish() == [4, 64])
        #expect(checked.checker.violations.map(\.description) == [])
    }

    /// The log opens an encounter with its first sample. By then the phone may have moved on, so the entry
    /// has another address than the first reading.
    @Test func `a phone that the agent has forgotten may move on before its encounter opens`() {
        checked.beginBesidePhone()
        send(CheckedBoard.report(of: Self.addresses[1], FieldAdverts.android), count: 4)
        checked.run(.seconds(60))
        send(Self.packet(Self.addresses[1]), count: 3)
        checked.run(.seconds(7))
        send(Self.packet(Self.addresses[2]), count: 32)
        #expect(finish() == [4, 35])
        #expect(checked.checker.violations.map(\.description) == [])
    }

    /// The agent remembers a phone that has stayed.
    @Test func `a pseudo address that the agent remembers comes back`() {
        checked.beginBesidePhone()
        send(Self.packet(Self.addresses[1]), count: 240)
        checked.run(.seconds(60))
        send(CheckedBoard.report(of: Self.addresses[1], []), count: 2)
        for address in Self.addresses[1...] { send(Self.packet(address), count: 32) }
        #expect(finish() == [240, 64])
        #expect(checked.checker.violations.map(\.description) == [])
    }
}
