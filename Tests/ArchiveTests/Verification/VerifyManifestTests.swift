import Archive
import EncounterLog
import FixedMemory
import TestSupport
import Testing

/// Logs with a signed manifest of their end.
@Suite struct VerifyManifestTests {
    private let log: AlteredLog

    init() throws { log = try AlteredLog() }

    @Test func `a manifest confirms the log up to its end`() throws {
        let result = try log.verify([log.manifest(log.board.head)])
        #expect(result.findings.map(\.kind) == [.locked])
        #expect(result.signedThrough == log.board.head.position)
        #expect(result.manifestCount == 1)
    }

    /// The older manifest is valid, but it does not cover later pages, so they are reported as unsigned.
    @Test func `an earlier manifest leaves the later pages unsigned`() throws {
        let older = log.board.head
        try log.board.run(
            boot: 4, sealedFor: log.ownerKey.publicHalf, entries: TestLog.entries(boot: 4, trackCount: 2))
        let result = try log.verify([log.manifest(older)])
        #expect(result.isSound)
        #expect(result.signedThrough == older.position)
        #expect(result.findings.map(\.kind).contains(.unsignedEnd))
    }

    @Test func `a log that ends before the end in its manifest was cut off`() throws {
        let signed = log.board.head
        let last = try #require(log.board.segments.last)
        let manifest = try log.manifest(signed)
        _ = try log.verify([manifest], leavingOut: { $0 == last.ordinal })
        try log.archive.recordSync(of: log.board.identity, at: manifest.receivedAt)
        let result = try log.archive.verify(log.board.identity)
        #expect(kinds(result) == [.endMissing(signed.position)])
        #expect(!result.isUnfinished && !result.isSound)
    }

    @Test func `the rest of a log whose last fetch was interrupted is incomplete, not damaged`() throws {
        let signed = log.board.head
        let last = try #require(log.board.segments.last)
        let result = try log.verify([log.manifest(signed)], leavingOut: { $0 == last.ordinal })
        #expect(kinds(result, from: .unproven) == [.fetchUnfinished(signed.position)])
        #expect(result.isUnfinished && result.isSound)
    }

    @Test func `another end than the signed one is found`() throws {
        var head = log.board.head
        head.chainValue[3] ^= 1
        let result = try log.verify([log.manifest(head)])
        #expect(kinds(result) == [.notAsSigned(head.position)])
    }

    @Test func `a manifest by another key is forged`() throws {
        let result = try log.verify([log.manifest(log.board.head, by: TestKey())])
        #expect(kinds(result) == [.forgedManifest])
        #expect(result.manifestCount == 0)
    }

    @Test func `a segment that the board still had counts as missing, not as overwritten`() throws {
        let result = try log.verify([log.manifest(log.board.head)], leavingOut: { $0 == log.victim.ordinal })
        #expect(kinds(result) == [.segmentsMissing(count: 1)])
        // A later manifest shows that the segment may have been overwritten since.
        var later = log.board.head
        later.position = .start
        try log.archive.record(log.manifest(later, oldest: log.victim.ordinal + 1), of: log.board.identity)
        #expect(try kinds(log.archive.verify(log.board.identity)) == [.overwritten(count: 1)])
    }
}
