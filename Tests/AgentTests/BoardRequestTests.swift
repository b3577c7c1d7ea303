import DeviceSync
import EncounterLog
import FixedMemory
import TestSupport
import Testing

@testable import Agent
@testable import Simulator

/// Tests the requests of programs on the board.
@Suite struct BoardRequestTests {
    /// The entries of a board after these requests, one a second, and the agent's answers.
    private func course(_ requests: [BoardRequest]) throws -> (entries: [LogEntry], answers: [[UInt8]]) {
        let world = BoardWorld()
        var scene = try Scene(in: world)
        scene.settle()
        for request in requests {
            world.store.requests.append(request)
            scene.run(milliseconds: 1_100)
        }
        scene.stop()
        return (world.medium.entries, world.store.answers)
    }

    private func battery(_ percent: UInt8?, isLow: Bool = false) -> BoardRequest {
        .battery(BatteryReading(percent: percent, state: .discharging, isLow: isLow))
    }

    @Test func `a marker is on the medium when it is answered`() throws {
        let world = BoardWorld()
        var scene = try Scene(options: ["log.loss_window_seconds=60"], in: world)
        scene.settle()
        world.store.requests.append(.mark(.button))
        scene.run(milliseconds: 1_100)
        #expect(world.store.answers == [[BoardAnswer.done.rawValue]])
        let markers = world.medium.entries.compactMap(\.marker)
        #expect(markers.map(\.origin) == [.button])
    }

    @Test func `requests within a second are one moment`() throws {
        let world = BoardWorld()
        var scene = try Scene(in: world)
        scene.settle()
        world.store.requests += [.mark(.button), .mark(.button), .mark(.command)]
        scene.run(milliseconds: 1_100)
        #expect(world.store.answers.count == 3)
        #expect(world.medium.entries.compactMap(\.marker).count == 1)
    }

    @Test func `a marker that the medium refuses is not confirmed`() throws {
        let world = BoardWorld()
        var scene = try Scene(in: world)
        scene.settle()
        world.medium.isBroken = true
        world.store.requests.append(.mark(.button))
        scene.run(milliseconds: 1_100)
        #expect(world.store.answers == [[BoardAnswer.notWritten.rawValue]])
    }

    @Test func `a battery is logged when it has changed, and not more often than twice a minute`() throws {
        let found = try course(
            [battery(80), battery(80), battery(79), battery(80)]
                + [BoardRequest](repeating: battery(79), count: 40))
        #expect(found.entries.compactMap(\.battery).map(\.reading.percent) == [80, 79])
        #expect(found.answers.allSatisfy { $0 == [BoardAnswer.done.rawValue] })
    }

    @Test func `a battery that becomes low is on the medium at once, with a notice`() throws {
        let world = BoardWorld()
        var scene = try Scene(options: ["log.loss_window_seconds=60"], in: world)
        scene.settle()
        world.store.requests += [battery(11), battery(10, isLow: true), battery(10, isLow: true)]
        scene.run(milliseconds: 1_100)
        let entries = world.medium.entries.compactMap(\.battery)
        #expect(entries.map(\.reading.isLow) == [false, true])
        #expect(world.notices.filter { $0 == .batteryLow(percent: 10) }.count == 1)
    }

    @Test func `the status has the battery and the number of markers`() throws {
        let found = try course([battery(42, isLow: true), .mark(.command), .status])
        let packet = try #require(found.answers.last)
        let status = try SyncResponse(packet.span, to: SyncRequest.boardStatus(sequence: 0)).boardStatus()
        #expect(status.battery == BoardStatus.Battery(percent: 42, state: 1, isLow: true))
        #expect(status.markerCount == 1)
        #expect(!status.isSyncing)
    }

    @Test func `requests are read as they are written`() {
        let requests: [BoardRequest] = [
            .mark(.button), .mark(MarkerOrigin(rawValue: 200)), battery(0), battery(nil, isLow: true),
        ]
        for request in requests {
            let datagram = request.datagram
            #expect(BoardRequest(control: datagram.span) == request)
        }
    }

    @Test func `other datagrams are no requests`() {
        var generator = SeededGenerator(seed: 9)
        for bytes in [[], [0], [1], [1, 1, 1], [2, 50], [3, 1]] as [[UInt8]] {
            #expect(BoardRequest(control: bytes.span) == nil)
        }
        for _ in 0..<1_000 {
            _ = BoardRequest(control: generator.bytes(Int.random(in: 0...16, using: &generator)).span)
        }
    }
}
