import Archive
import EncounterLog
import FlashSimulator
import TestSupport
import Testing

/// Damaged pages and missing segments, and the findings of `verify`.
@Suite struct VerifyDamageTests {
    private let log: AlteredLog

    init() throws { log = try AlteredLog() }

    @Test(arguments: [true, false])
    func `a damaged page is reported with its cost and the others are read`(withKey: Bool) throws {
        let place = log.pages[log.pages.count / 2]
        let result = try log.verify(withKey: withKey, log.inVictim { $0[place.byteOffset + 200] ^= 4 })
        #expect(kinds(result) == [.damagedPages])
        let finding = try #require(result.findings.first { $0.kind == .damagedPages })
        #expect(finding.position?.byteOffset == UInt32(place.byteOffset))
        #expect(finding.pageCount == 1)
        #expect(finding.lostEntryCount ?? 0 > 0)
        #expect(!finding.isAtLeast)
        if withKey {
            #expect(finding.before != nil)
            #expect(finding.after != nil)
        }
        let whole = try Archive(inMemoryNamed: "whole")
        try log.board.fetch(into: whole)
        #expect(try result.pageCount == whole.verify(log.board.identity).pageCount - 1)
    }

    /// The first page of a segment contains the segment header, and so does the first page of the next block.
    @Test func `a damaged segment header costs only its page`() throws {
        let result = try log.verify(log.inVictim { $0[120] ^= 4 })
        #expect(kinds(result) == [.damagedPages])
        #expect(result.openedPageCount == result.pageCount)
    }

    /// Only the entries of the log would report another reason than the ring.
    @Test(arguments: [true, false])
    func `a missing segment for which the ring had room was removed`(withKey: Bool) throws {
        let result = try log.verify(withKey: withKey, leavingOut: { $0 == log.victim.ordinal })
        #expect(kinds(result) == [withKey ? .segmentsRemoved(count: 1) : .erasureUnproven(count: 1)])
        let gap = try #require(result.findings.first { $0.kind == kinds(result).first })
        #expect(gap.lostEntryCount ?? 0 > 0)
        #expect(!gap.isAtLeast)
    }
}
