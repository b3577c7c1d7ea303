import Agent
import HCI
import Simulator
import Testing

/// One board and one phone.
@Suite struct FirstLightTests {
    private func makeWorld(seed: UInt64) throws -> (World, SimulatedBoard, SimulatedPhone) {
        let world = World(seed: seed)
        let board = SimulatedBoard("board", in: world)
        let phone = SimulatedPhone(
            "phone", payload: [0x10, 1, 2, 3], at: Route(standingAt: Position(2, 0)), in: world)
        board.powerOn()
        return (world, board, phone)
    }

    @Test func `a phone and a board read each other`() throws {
        let (world, board, phone) = try makeWorld(seed: 1)
        world.run(for: .seconds(30))
        #expect(phone.boardsRead.count == 1)
        #expect(phone.boardsRead.first?.payload.isEmpty == false)
        #expect(phone.linkCount >= 2)
        #expect(board.controller.truth.reportsTaken > 50)
        #expect(board.controller.violations == [])
        #expect(board.notices.contains { if case .radio(.up) = $0 { true } else { false } })
    }

    @Test func `the same seed gives the same world`() throws {
        let traces = try (0..<2).map { _ in
            let (world, _, _) = try makeWorld(seed: 7)
            world.run(for: .minutes(2))
            return world.trace
        }
        #expect(traces[0] == traces[1])
        #expect(traces[0].eventCount > 100)
    }

    @Test func `another seed gives another world`() throws {
        let traces = try [UInt64(7), 8].map { seed in
            let (world, _, _) = try makeWorld(seed: seed)
            world.run(for: .minutes(2))
            return world.trace
        }
        #expect(traces[0] != traces[1])
    }

    @Test func `a board survives a power cut`() throws {
        let (world, board, _) = try makeWorld(seed: 3)
        world.run(for: .seconds(20))
        board.cutPower()
        #expect(board.state == .off)
        world.run(for: .seconds(5))
        board.powerOn()
        let before = board.controller.truth.reportsTaken
        world.run(for: .seconds(20))
        #expect(board.state == .running && board.startCount == 2)
        #expect(board.controller.truth.reportsTaken > before)
    }

    @Test func `a stopped board stays stopped`() throws {
        let (world, board, _) = try makeWorld(seed: 3)
        world.run(for: .seconds(20))
        board.stop()
        world.run(for: .seconds(60))
        #expect(board.state == .ended)
        #expect(board.notices.contains { if case .stopped = $0 { true } else { false } })
        board.startAgent()
        #expect(board.state == .running)
    }

    @Test func `a killed agent starts again`() throws {
        let (world, board, _) = try makeWorld(seed: 3)
        world.run(for: .seconds(20))
        board.killAgent()
        #expect(board.state == .ended)
        world.run(for: .seconds(6))
        #expect(board.state == .running && board.startCount == 2)
    }
}
