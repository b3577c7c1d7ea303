import EncounterLog
import FlashSimulator
import Testing

@Suite struct ErasedFlipsTests {
    private final class Violations {
        var texts: [String] = []
    }

    private let violations = Violations()
    private let page = [UInt8](repeating: 0x5b, count: 256)

    /// A medium of which the lowest bit of block 1 has flipped.
    private func flippedMedium() throws -> SimulatedMedium {
        let geometry = try #require(FlashGeometry(blockByteCount: 256, blocksPerSegment: 4, segmentCount: 2))
        let medium = SimulatedMedium(geometry)
        medium.onViolation = { violations.texts.append($0) }
        medium.flip(bit: 0, inBlock: 1)
        return medium
    }

    @Test func `a flip after the last read of an erased block spoils the page that is programmed there`()
        throws
    {
        let medium = try flippedMedium()
        try SimulatedFlash(medium).program(block: 1, offset: 0, from: page.span)
        #expect(Array(medium.bytes[256..<258]) == [0x5a, 0x5b])
        #expect(violations.texts.isEmpty)
    }

    @Test func `a log that programs a block in which it could read a flipped bit is at fault`() throws {
        let medium = try flippedMedium()
        let flash = SimulatedFlash(medium)
        var read = [UInt8](repeating: 0, count: 1)
        var target = read.mutableSpan
        try flash.read(block: 1, offset: 0, into: &target)
        try flash.program(block: 1, offset: 0, from: page.span)
        #expect(violations.texts == ["block 1 programmed twice, or not erased before"])
    }

    @Test func `a bit that flips back leaves the block erased, also if the log was mounted meanwhile`() throws
    {
        let medium = try flippedMedium()
        medium.willBeMounted()
        medium.flip(bit: 0, inBlock: 1)
        try SimulatedFlash(medium).program(block: 1, offset: 0, from: page.span)
        #expect(violations.texts.isEmpty)
    }
}
