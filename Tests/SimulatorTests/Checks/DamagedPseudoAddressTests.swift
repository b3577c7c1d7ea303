import HCI
import Testing

@testable import Simulator

/// Reports of one phone from which a UART lost a byte, so that the phone seems to have another pseudo device
/// address. H4 has no checksum, and the agent counts such a report by its on-air address. The comparison of
/// the log with what was heard must do the same.
@Suite struct DamagedPseudoAddressTests {
    private static let phone = DeviceAddress.privateRandom(seed: 3)
    private static let pseudoAddress: [UInt8] = [0xc3, 0xdf, 0x51, 0xe9, 0x43, 0xdb]

    /// A byte that is missing from a report. The last byte, the signal strength, is then the first byte of
    /// the next packet.
    private enum Loss {
        /// No pseudo device address is recognised.
        case ofManufacturer
        /// The signal strength becomes the last byte of the pseudo device address.
        case ofPseudoAddress

        var index: Int {
            switch self {
            case .ofManufacturer: 23
            case .ofPseudoAddress: 26
            }
        }
    }

    private let checked = CheckedBoard(options: {
        $0.transport = .stream
        $0.driftPPM = 0
        $0.logSoon()
    })

    /// Brings the board up beside another phone.
    private func begin() {
        checked.beginBesidePhone()
        corrupt()
    }

    /// Begins the fault. The test itself takes the bytes from the stream.
    private func corrupt() {
        checked.controller.faults.bytesPerCorruption = 1 << 50
        checked.controller.faults.begin(.corruptedStream)
    }

    /// Sends reports of the phone as the UART delivers them, two a second.
    private func send(_ count: Int, without loss: Loss? = nil, rssiDBm: Int8 = -60) {
        let data = FieldAdverts.pseudoAddress(Self.pseudoAddress, isLegacy: false)
        for _ in 0..<count {
            var packet = CheckedBoard.report(of: Self.phone, data, rssiDBm: rssiDBm)
            if let loss { packet.remove(at: loss.index) }
            checked.controller.inject(packet)
            // The agent skips the rest of this packet.
            if loss != nil { checked.controller.inject([4, 0xff, 1, 0xff]) }
            checked.run(.milliseconds(500))
        }
    }

    /// Lets the encounter end, and the log write it: one encounter with so many readings.
    private func finish(readings: UInt32) {
        #expect(checked.readingsOfEncounters() == [readings])
        #expect(checked.checker.violations.map(\.description) == [])
        checked.end()
    }

    /// The controller measures no signal strength. So the only readings are in damaged reports: they have the
    /// first byte of the next packet in its place.
    @Test func `a damaged pseudo address may have the last reading of an encounter`() {
        begin()
        send(1, rssiDBm: 127)
        for _ in 0..<12 {
            send(1, without: .ofManufacturer, rssiDBm: 127)
            send(1, rssiDBm: 127)
        }
        send(1, without: .ofPseudoAddress, rssiDBm: 127)
        finish(readings: 13)
    }

    @Test func `a damaged pseudo address may come before the right one`() {
        begin()
        send(1, without: .ofManufacturer)
        send(1, without: .ofPseudoAddress)
        send(24)
        finish(readings: 26)
    }

    @Test func `reports without a pseudo address may follow a damaged one`() {
        begin()
        send(1, without: .ofManufacturer)
        send(23)
        send(1, without: .ofPseudoAddress)
        send(1, without: .ofManufacturer)
        finish(readings: 26)
    }

    /// The agent has read the phone's identity, so the damaged report is that phone's. It comes in the middle
    /// of a pause that would otherwise end its encounter.
    @Test func `a damaged pseudo address of a known phone may bridge a pause`() throws {
        checked.beginBesidePhone()
        var kind = PhoneKind(name: "phone with a pseudo address")
        kind.pseudoAddress = .current
        let phone = checked.add("phone with a pseudo address", kind)
        checked.run(.seconds(30))
        phone.setPresent(false)
        checked.run(.seconds(7))
        var pseudoAddress = try #require(phone.pseudoAddresses.last)
        pseudoAddress[5] ^= 4
        corrupt()
        checked.controller.inject(
            CheckedBoard.report(
                of: phone.address, FieldAdverts.pseudoAddress(pseudoAddress, isLegacy: false)))
        checked.run(.seconds(7))
        phone.setPresent(true)
        checked.run(.seconds(20))
        phone.setPresent(false)
        #expect(checked.readingsOfEncounters().count == 1)
        #expect(checked.checker.violations.map(\.description) == [])
        checked.end()
    }
}
