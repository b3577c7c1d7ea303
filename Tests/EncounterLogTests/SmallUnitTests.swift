import FixedMemory
import FlashSimulator
import TestSupport
import Testing

@testable import EncounterLog

/// Media with units smaller than a block, where a block holds several pages.
@Suite struct SmallUnitTests {
    private func medium() throws -> SimulatedMedium {
        SimulatedMedium(
            try #require(
                FlashGeometry(unitByteCount: 16, blockByteCount: 256, blocksPerSegment: 4, segmentCount: 4)))
    }

    @Test func `an entry too long for the rest of a block leaves no page without entries`() throws {
        let medium = try medium()
        var log = try mount(medium)
        var identity = FixedBuffer<512>()
        for _ in 0..<90 { try identity.append(7) }
        for number in 0..<40 {
            try log.appendNumbered(number..<number + 1)
            try log.append(
                .encounterIdentified(
                    EncounterIdentifiedEntry(
                        encounter: 1, instant: 1, scheme: SchemeCode(.herald), identity: identity)),
                now: 0)
            try log.commit()
        }
        let pages = try ReadLog(&log).pages
        #expect(pages.count > 15)
        // The first page of a log has no entries.
        #expect(pages.filter { $0.position > .start && $0.entries.isEmpty }.isEmpty)
    }

    @Test func `each epoch has its segment header twice, even if it ends in its first block`() throws {
        let medium = try medium()
        for boot in 1...3 as ClosedRange<UInt64> {
            var log = try mount(medium, boot: boot)
            for number in 0..<2 {
                try log.appendNumbered(number..<number + 1)
                try log.commit()
            }
        }
        var log = try mount(medium, boot: 4)
        let oldest = log.retainedSegment(at: 0)
        let segment = try #require(oldest)
        let bytes = try log.bytes(of: segment)
        var reader = SegmentReader(bytes.span, ordinal: 0, unitByteCount: 16, blockByteCount: 256)
        var boots: [UInt64?] = []
        while let place = reader.next() {
            boots.append(try reader.page(at: place.byteOffset).segmentHeader?.bootIdentifier)
        }
        // The first start wrote one page more, because it formatted the medium.
        #expect(boots == [1, 1, nil, 2, 2, 3, 3] || boots == [1, 1, 1, 2, 2, 3, 3])
    }
}
