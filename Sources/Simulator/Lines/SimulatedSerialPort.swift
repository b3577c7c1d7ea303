import Agent
import FixedMemory

/// A board's end of a ``SimulatedLine``.
public struct SimulatedSerialPort: SerialPort, ~Copyable {
    let line: SimulatedLine

    public init(_ line: SimulatedLine) { self.line = line }

    public var isOpen: Bool { line.isOpen }

    public mutating func read(into buffer: inout FixedBuffer<512>) {
        guard !line.toBoard.isEmpty else { return }
        let count = min(line.toBoard.count, buffer.freeCount)
        let part = Array(line.toBoard.prefix(count))
        try? buffer.append(part.span)
        line.toBoard.removeFirst(count)
    }

    public mutating func write(_ bytes: Span<UInt8>) -> Int {
        for index in bytes.indices { line.fromBoard.append(bytes[index]) }
        return bytes.count
    }
}
