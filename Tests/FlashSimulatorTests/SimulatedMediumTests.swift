import EncounterLog
import FlashSimulator
import Testing

@Suite struct SimulatedMediumTests {
    private func medium() throws -> SimulatedMedium {
        let geometry = try #require(FlashGeometry(blockByteCount: 256, blocksPerSegment: 4, segmentCount: 2))
        return SimulatedMedium(geometry)
    }

    private let page = [UInt8](repeating: 0x5a, count: 256)

    @Test func `a power cut loses parts of the bytes that were not synced`() throws {
        let medium = try medium()
        medium.random = RandomStream(seed: 3)
        let flash = SimulatedFlash(medium)
        try flash.program(block: 0, offset: 0, from: page.span)
        try flash.sync()
        try flash.program(block: 1, offset: 0, from: page.span)
        medium.powerWasCut()
        #expect(Array(medium.bytes[0..<256]) == page)
        let rest = medium.bytes[256..<512]
        #expect(rest.contains(0x5a) && rest.contains(0xff))
    }

    @Test func `bytes that a failed sync did not write are lost, also after the next sync`() throws {
        let medium = try medium()
        let flash = SimulatedFlash(medium)
        medium.syncFails = { true }
        try flash.program(block: 0, offset: 0, from: page.span)
        #expect(throws: FlashError.self) { try flash.sync() }
        #expect(medium.bytes[0] == 0xff)
        medium.syncFails = { false }
        try flash.sync()
        medium.powerWasCut()
        #expect(medium.bytes[0] == 0xff)
    }

    @Test func `a unit programmed twice is reported`() throws {
        let medium = try medium()
        var violations: [String] = []
        medium.onViolation = { violations.append($0) }
        let flash = SimulatedFlash(medium)
        try flash.program(block: 2, offset: 0, from: page.span)
        try flash.program(block: 2, offset: 0, from: page.span)
        #expect(violations == ["block 2 programmed twice, or not erased before"])
    }

    @Test func `a bit that flips while reading is right again at the next read`() throws {
        let medium = try medium()
        let flash = SimulatedFlash(medium)
        medium.flippedBit = { _ in 9 }
        var bytes = [UInt8](repeating: 0, count: 4)
        var span = bytes.mutableSpan
        try flash.read(block: 0, offset: 0, into: &span)
        #expect(bytes == [0xff, 0xfd, 0xff, 0xff])
        medium.flippedBit = { _ in nil }
        span = bytes.mutableSpan
        try flash.read(block: 0, offset: 0, into: &span)
        #expect(bytes == [0xff, 0xff, 0xff, 0xff])
    }

    // MARK: Overwritable medium

    private func overwritable() throws -> SimulatedMedium {
        let geometry = try #require(
            FlashGeometry(blockByteCount: 4_096, blocksPerSegment: 4, segmentCount: 2))
        return SimulatedMedium(geometry, filledWith: 0, isOverwritable: true)
    }

    private let largePage = [UInt8](repeating: 0x5a, count: 4_096)

    @Test func `a program that fails in the middle leaves some sectors`() throws {
        let medium = try overwritable()
        medium.random = RandomStream(seed: 3)
        (medium.failingProgramLands, medium.failingProgramIsPartial) = (true, true)
        medium.programFails = { _ in true }
        #expect(throws: FlashError.self) {
            try SimulatedFlash(medium).program(block: 1, offset: 0, from: largePage.span)
        }
        let sectors = (0..<8).map { Set(medium.bytes[4_096 + 512 * $0..<4_096 + 512 * ($0 + 1)]) }
        #expect(sectors.allSatisfy { $0.count == 1 })
        #expect(sectors.contains([0x5a]) && sectors.contains([0]))
    }

    @Test func `a flipped bit is gone when its block is written over, and that is synced`() throws {
        let medium = try overwritable()
        let flash = SimulatedFlash(medium)
        medium.flip(bit: 5, inBlock: 1)
        try flash.program(block: 1, offset: 0, from: largePage.span)
        #expect(medium.flippedBlocks == [1])
        medium.syncFails = { true }
        #expect(throws: FlashError.self) { try flash.sync() }
        #expect(medium.flippedBlocks == [1])
        medium.syncFails = { false }
        try flash.program(block: 1, offset: 0, from: largePage.span)
        try flash.sync()
        #expect(medium.flippedBlocks == [])
    }
}
