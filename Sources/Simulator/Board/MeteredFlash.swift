import EncounterLog
import FlashSimulator

/// A board's ``SimulatedFlash``: what it takes of memory is not counted as the agent's.
public struct MeteredFlash: FlashDevice {
    private let flash: SimulatedFlash

    init(_ medium: SimulatedMedium) { flash = SimulatedFlash(medium) }

    public var geometry: FlashGeometry { flash.geometry }

    public var isOverwritable: Bool { flash.isOverwritable }

    public func read(block: Int, offset: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        AgentMemory.leaveAgent()
        defer { AgentMemory.enterAgent() }
        try flash.read(block: block, offset: offset, into: &destination)
    }

    public func program(block: Int, offset: Int, from bytes: Span<UInt8>) throws(FlashError) {
        AgentMemory.leaveAgent()
        defer { AgentMemory.enterAgent() }
        try flash.program(block: block, offset: offset, from: bytes)
    }

    public func erase(segment: Int) throws(FlashError) {
        AgentMemory.leaveAgent()
        defer { AgentMemory.enterAgent() }
        try flash.erase(segment: segment)
    }

    public func sync() throws(FlashError) {
        AgentMemory.leaveAgent()
        defer { AgentMemory.enterAgent() }
        try flash.sync()
    }
}
