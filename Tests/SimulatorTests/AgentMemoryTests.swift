import FixedMemory
import Testing

@testable import Simulator

/// The meter of the check `MemoryIsConstant` counts the memory that a step keeps.
@Suite(.serialized) struct AgentMemoryTests {
    /// The growth of memory by `work`, run as a step of the agent.
    private func growth(_ work: () throws -> Void) rethrows -> Int64 {
        let before = AgentMemory.byteCount
        AgentMemory.enterStep()
        defer { AgentMemory.leaveStep() }
        try work()
        return AgentMemory.byteCount - before
    }

    @Test func `heap memory that a step keeps is counted`() {
        var kept: [UnsafeMutableRawPointer] = []
        kept.reserveCapacity(10)
        let growth = growth {
            for _ in 0..<10 { kept.append(.allocate(byteCount: 1_000, alignment: 8)) }
        }
        #expect((10_000...11_000).contains(growth))
        for block in kept { block.deallocate() }
    }

    @Test func `memory that a step frees is not counted`() {
        let growth = growth {
            let block = UnsafeMutableRawPointer.allocate(byteCount: 1_000, alignment: 8)
            block.storeBytes(of: 1, as: UInt8.self)
            block.deallocate()
        }
        #expect(growth == 0)
    }

    @Test func `mapped memory is counted until it is unmapped`() throws {
        let before = AgentMemory.byteCount
        var mapped: Int64 = 0
        let growth = try growth {
            let array = try FixedArray<UInt8>(count: 100_000, repeating: 7)
            mapped = AgentMemory.byteCount - before
            _ = array[99_999]
        }
        #expect((100_000...110_000).contains(mapped))
        // The runtime may keep metadata for the first such array.
        #expect(growth < 1_000)
    }

    @Test func `memory that the platform takes is not counted for the agent`() {
        var block: UnsafeMutableRawPointer?
        let growth = growth {
            AgentMemory.leaveAgent()
            block = .allocate(byteCount: 1_000, alignment: 8)
            AgentMemory.enterAgent()
        }
        #expect(growth == 0)
        block?.deallocate()
    }
}
