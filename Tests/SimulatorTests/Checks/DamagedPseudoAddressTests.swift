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

    private let world = World(seed: 1)
    private let board: SimulatedBoard
    private let checker: InvariantChecker

    init() {
        var options = RunOptions(seed: 1)
        options.world = []
        options.transport = .stream
        options.isSealed = false
        options.driftPPM = 0
        options.lossWindowSeconds = 5
        options.gapSeconds = 10
        options.sampleSeconds = 5
        board = SimulatedBoard("board", options.boardSetup, in: world)
        checker = InvariantChecker(
            of: board, host: nil, diary: FaultDiary(of: board.controller, in: world), options: options,
            neighbours: Neighbours(in: world), in: world)
    }

    /// Brings the board up beside another phone, whose samples keep the log growing.
    private func begin() {
        let other = Station("other phone", at: Route(standingAt: Position(1, 0)), in: world)
        other.advertise(
            Advertisement(
                address: .staticRandom(seed: 1), kind: .nonConnectable, data: FieldAdverts.android),
            every: .milliseconds(250))
        board.powerOn()
        world.run(for: .seconds(10))
        // The test itself takes the bytes from the stream.
        board.controller.faults.bytesPerCorruption = 1 << 50
        board.controller.faults.begin(.corruptedStream)
    }

    /// Sends reports of the phone as the UART delivers them, two a second.
    private func send(_ count: Int, without loss: Loss? = nil, rssiDBm: Int8 = -60) {
        let data = FieldAdverts.pseudoAddress(Self.pseudoAddress, isLegacy: false)
        let report: [UInt8] =
            [2, 1, 3, 1] + Self.phone.littleEndianBytes + [UInt8(data.count)] + data
            + [UInt8(bitPattern: rssiDBm)]
        for _ in 0..<count {
            var packet: [UInt8] = [4, 0x3e, UInt8(report.count)] + report
            if let loss { packet.remove(at: loss.index) }
            board.controller.inject(packet)
            // The agent skips the rest of this packet.
            if loss != nil { board.controller.inject([4, 0xff, 1, 0xff]) }
            world.run(for: .milliseconds(500))
        }
    }

    /// Lets the encounter end, and the log write it: one encounter with so many readings.
    private func finish(readings: UInt32) {
        world.run(for: .seconds(60))
        let closed: [UInt32] = BoardLog(of: board).pages(of: board).flatMap(\.entries).compactMap {
            if case .encounterClosed(let entry) = $0 { entry.readings } else { nil }
        }
        #expect(closed == [readings])
        #expect(checker.violations.map(\.description) == [])
        checker.end()
        world.end()
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
}
