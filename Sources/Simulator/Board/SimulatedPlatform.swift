import Agent
import Cryptography
import FixedMemory
import FlashSimulator
import Schemes

/// The platform of an agent in a ``World``: everything behind it is the ``SimulatedBoard``'s.
public enum SimulatedPlatform: Platform {
    public typealias Clock = SimulatedClock
    public typealias Radio = SimulatedRadio
    public typealias Flash = MeteredFlash
    public typealias Serial = SimulatedSerialPort
    public typealias Randomness = SimulatedEntropy
    public typealias Board = SimulatedBoardControl
}

public struct SimulatedEntropy: RandomSource {
    var stream: RandomStream
    /// The board's, which outlives its agents.
    let source: SeededEntropy

    public mutating func next() -> UInt64 { stream.next() }

    public var entropy: Entropy { source.entropy }
}

public struct SimulatedBoardControl: BoardControl {
    unowned let board: SimulatedBoard

    public var isStopRequested: Bool { board.isStopRequested }

    public mutating func setRadioPower(_ isOn: Bool) -> Bool {
        AgentMemory.leaveAgent()
        defer { AgentMemory.enterAgent() }
        return board.setRadioPower(isOn)
    }

    public mutating func store(_ keys: BoardKeys) -> Bool {
        guard let kept = board.keys else { return false }
        kept.boardKeys = keys
        return true
    }

    public mutating func store(configuration changes: Span<UInt8>) -> Bool {
        AgentMemory.leaveAgent()
        defer { AgentMemory.enterAgent() }
        board.configurationChanges = [UInt8](changes)
        return true
    }

    public mutating func dayKey(of scheme: DayKeyScheme, on day: UInt32) -> DayKeyOffer? {
        AgentMemory.leaveAgent()
        defer { AgentMemory.enterAgent() }
        return board.dayKey(of: scheme, on: day)
    }

    public mutating func log(_ line: Span<UInt8>) {
        AgentMemory.leaveAgent()
        defer { AgentMemory.enterAgent() }
        board.noteLine(String(decoding: [UInt8](line), as: UTF8.self))
    }
}
