import Agent
import FixedMemory

/// The board's end of a ``SimulatedLine``, which documents the faults.
public struct SimulatedSerialPort: SerialPort, ~Copyable {
    let line: SimulatedLine

    public init(_ line: SimulatedLine) { self.line = line }

    public var isOpen: Bool { line.isOpen }

    public var hasInput: Bool { !line.toBoard.isEmpty }

    public var hangUpCount: UInt32 { line.hangUpCount }

    public mutating func read(into buffer: inout FixedBuffer<512>) {
        guard !line.toBoard.isEmpty else { return }
        AgentMemory.leaveAgent()
        defer { AgentMemory.enterAgent() }
        let part = line.read(atMost: buffer.freeCount)
        try? buffer.append(part.span)
    }

    public mutating func write(_ bytes: Span<UInt8>) -> Int {
        AgentMemory.leaveAgent()
        defer { AgentMemory.enterAgent() }
        return line.write([UInt8](bytes))
    }
}
