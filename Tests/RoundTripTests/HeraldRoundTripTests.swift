import Analysis
import Archive
import ArchiveTestSupport
import EncounterLog
import FixedMemory
import Foundation
import HCI
import TestSupport
import Testing

@testable import Reports
@testable import Simulator

/// Tests boards in one simulated room, from adverts on the air to figures. Their agents' logs are fetched,
/// exported, written to files and analysed. The result is compared with the RSSI readings that the
/// controllers delivered.
@Suite struct HeraldRoundTripTests {
    /// The times of RSSI readings by address, in seconds of the wall clock.
    private final class Readings {
        var ofAddress: [HCI.DeviceAddress: [Int64]] = [:]
    }

    private struct Participant {
        let board: SimulatedBoard
        let readings: Readings
        /// The payload in its configuration.
        let payload: [UInt8]
        let name: String
    }

    private static let wallClock = Int64(SampleWorld.morning.milliseconds)

    /// Boards of one state with the locations 1, 2, 3…, some metres apart.
    private func participants(_ count: Int, in world: World) -> [Participant] {
        (0..<count).map { index in
            var setup = BoardSetup()
            let location = UInt8(index + 1)
            setup.options = [
                "herald.country=826", "herald.state=4", "herald.location=\(location)",
                "log.loss_window_seconds=10",
            ]
            setup.controller.publicAddress = HCI.DeviceAddress(
                value: 0x0012_3456_7800 + UInt64(location), isRandom: false)
            setup.place = Route(standingAt: Position(Double(index) * 2, 0))
            let board = SimulatedBoard("board \(index)", setup, in: world)
            let readings = Readings()
            board.controller.transport.onTaken = { [unowned board, unowned readings] packet in
                guard packet.count > 4, packet[0] == 4, packet[1] == 0x3e, packet[3] == 2 else { return }
                let parameters = packet.span.extracting(4..<packet.count)
                var reports = AdvertisingReports(parameters)
                while let report = reports.next() {
                    guard report.rssi != nil, let wall = board.clock.wallClock else { continue }
                    readings.ofAddress[report.address, default: []].append(Int64(wall.time.seconds))
                }
            }
            return Participant(
                board: board, readings: readings,
                payload: [0x30, 0x3a, 0x03, 0x04, 0x00, location, 0, 0, 0], name: "board \(index)")
        }
    }

    /// Powers the board on, and sets its clock as a network would.
    private func start(_ participant: Participant, in world: World) {
        participant.board.powerOn()
        participant.board.clock.setWallClock(
            WallClockTime(milliseconds: UInt64(Self.wallClock) + world.now.microseconds / 1_000),
            errorMilliseconds: 1)
    }

    /// The participants as the analysis reads them from the exported files.
    private func analysed(
        _ participants: [Participant], _ generation: HeraldLogGeneration
    ) throws -> [FormalParticipant] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "herald-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try participants.map { participant in
            let log = HeraldLogAssembly().log(of: try participant.board.history())
            #expect(log.ownName == HeraldShortName.text(participant.payload), "as its own log says")
            let place = folder + "/" + participant.name
            try HeraldExport(generation: generation).write(log, to: place)
            let detection = try Data(contentsOf: URL(filePath: place + "/detection.csv"))
            let contacts = try Data(contentsOf: URL(filePath: place + "/contacts.csv"))
            let device = FormalDevice(name: participant.name, detectionLog: [UInt8](detection))
            var observations = FormalObservations()
            var reader = ContactsReader()
            try reader.read([UInt8](contacts)) { observations.append($0) }
            try reader.finish { observations.append($0) }
            #expect(reader.malformedLineCount == 0)
            return FormalParticipant(device: try #require(device), observations: observations)
        }
    }

    /// The number of windows from `start` on in which each observer heard each other board, ordered by
    /// observer.
    private func trueWindows(
        _ participants: [Participant], addresses: [HCI.DeviceAddress], _ test: FormalTest
    ) -> [Int] {
        participants.indices.flatMap { observer in
            let times = participants.indices.map { other in
                other == observer
                    ? []
                    : (participants[observer].readings.ofAddress[addresses[other]] ?? [])
                        .filter { test.startSeconds <= $0 && $0 <= test.endSeconds }
            }
            let origin = times.joined().min() ?? 0
            return participants.indices.filter { $0 != observer }.map { other in
                Set(times[other].map { ($0 - origin) / 30 }).count
            }
        }
    }

    @Test func `the figures of an export are those of the simulated air`() throws {
        let world = World(seed: 11)
        let participants = participants(3, in: world)
        for participant in participants { start(participant, in: world) }
        world.run(for: .minutes(3))
        for participant in participants { try #require(participant.board.startFailure == nil) }
        let addresses = participants.map(\.board.controller.linkAddress)
        // The second board is taken away for two minutes, and returns with a new boot of its agent.
        participants[1].board.stop()
        world.run(for: .minutes(2))
        participants[1].board.cutPower()
        start(participants[1], in: world)
        world.run(for: .minutes(3))
        try #require(participants.map(\.board.controller.linkAddress) == addresses)
        for participant in participants { participant.board.stop() }
        world.run(for: .seconds(5))

        let start = Self.wallClock / 1_000 + 60
        let test = try #require(FormalTest(startSeconds: start, endSeconds: start + 6 * 60 - 1))
        let truth = trueWindows(participants, addresses: addresses, test)
        // The pairs are 0–1, 0–2, 1–0, 1–2, 2–0, 2–1; those without the second board miss no window.
        #expect(truth[1] == 12)
        #expect(truth[4] == 12)
        #expect(truth[0] < 11)
        for generation in [HeraldLogGeneration.first, .second] {
            let result = test.result(of: try analysed(participants, generation))
            #expect(result.detectedPairCount == 6)
            #expect(result.maximumWindowCountPerPair == 12)
            let found = result.pairs.map(\.windowCount)
            // A sample is logged at its end, so a window at an edge may be missed, but none is invented.
            for (found, truth) in zip(found, truth) { #expect(truth - 2...truth ~= found) }
            #expect(found[1] == 12)
            #expect(found[4] == 12)
        }
        world.end()
    }
}
