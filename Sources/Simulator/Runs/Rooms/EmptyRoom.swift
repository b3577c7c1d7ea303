import FixedMemory

/// A board in a room that stays empty. It must not attempt to recover its radio.
public struct EmptyRoom: Sendable {
    public let recoveryActions: UInt64
    public let coveredFraction: Double
    public let memoryGrowth: Int64

    public init(days: UInt64, seed: UInt64 = 1) {
        let world = World(seed: seed)
        let board = SimulatedBoard("board", in: world)
        var growth: Int64 = 0
        var isSettled = false
        board.onStep = { if isSettled { growth += $0.stepMemoryGrowth } }
        board.powerOn()
        let start = board.clock.now
        world.run(for: .hours(1))
        isSettled = true
        world.run(for: .days(days))
        recoveryActions = board.radioStatus?.rungs.total ?? .max
        let end = board.clock.now
        board.stop()
        world.run(for: .seconds(2))
        let log = CoverageLog(of: board)
        let blind = log.stretches.inverted(within: start..<end)
        coveredFraction = 1 - Double(blind.length.milliseconds) / Double((end - start).milliseconds)
        memoryGrowth = growth
        world.end()
    }
}
