import EncounterLog
import FixedMemory
import GRDB
import LogContents
import TestSupport
import Testing

@testable import Archive

/// An archive after the removal of contacts: what it still proves, and what it still decodes.
@Suite struct RedactedArchiveTests {
    private let contacts: ContactArchive

    init() throws { contacts = try ContactArchive() }

    @Test(arguments: [false, true])
    func `verification reports a redaction as deliberate, and the hash chain holds across it`(withKey: Bool)
        throws
    {
        let archive = try contacts.archive()
        let before = try archive.verify(contacts.board.identity, keys: contacts.ownerKey.ownerKey)
        let plan = try contacts.forgetExpired(archive)
        let result = try archive.verify(
            contacts.board.identity, keys: withKey ? contacts.ownerKey.ownerKey : .none)
        #expect(result.severity == .note, "\(result.findings)")
        let redaction = Redaction(
            time: ContactLog.now, schemes: ["covid-tracer", "exposure-notification"])
        let finding = try #require(result.findings.first { $0.kind == .redacted(redaction) })
        #expect(finding.pageCount == plan.counts.pageCount)
        #expect(finding.text.contains("redacted"))
        #expect(result.redactedPageCount == plan.counts.pageCount)
        #expect(result.chainedPageCount == before.chainedPageCount)
        #expect(result.signatureCount == before.signatureCount)
        #expect(result.entryCount == before.entryCount)
        let checked = before.openedPageCount - plan.counts.pageCount
        #expect(result.openedPageCount == (withKey ? checked : 0))
        #expect(result.lockedPageCount == (withKey ? 0 : checked))
    }

    @Test func `other changes and losses are found as before`() throws {
        try contacts.board.run(
            boot: ContactLog.boot, sealedFor: contacts.ownerKey.publicHalf, entries: ContactLog.entries)
        let victim = contacts.board.segments[1]
        let place = PageForge.pages(
            of: victim.bytes, ordinal: victim.ordinal, contacts.board.medium.geometry)[2]
        let archive = try Archive(path: contacts.file.path)
        try contacts.board.fetch(into: archive) { ordinal, bytes in
            guard ordinal == victim.ordinal else { return }
            bytes.replaceSubrange(place.range, with: repeatElement(0xff, count: place.byteCount))
        }
        try archive.decodePages(of: contacts.board.identity, keys: contacts.ownerKey.ownerKey)
        try contacts.forgetExpired(archive)
        let result = try archive.verify(contacts.board.identity, keys: contacts.ownerKey.ownerKey)
        #expect(result.findings.filter { $0.severity > .note }.map(\.kind) == [.pagesMissing])
    }

    /// Pages beside a redacted one cannot be replaced unnoticed, because the stored chain value fixes what
    /// preceded it.
    @Test func `a page that was cut out beside a redacted one is missed`() throws {
        let archive = try contacts.archive()
        try contacts.forgetExpired(archive)
        let redacted = try archive.contents(ofSegment: 0, of: contacts.board.identity).pages
        let index = try #require(redacted.firstIndex { $0.redaction != nil })
        let next = redacted[index + 1]
        try archive.transaction { database in
            var bytes = try archive.bytes(ofSegment: 1, in: database)
            bytes.replaceSubrange(
                next.byteOffset..<next.byteOffset + next.byteCount,
                with: repeatElement(0xff, count: next.byteCount))
            try archive.store(bytes, ofSegment: 1, in: database)
            try database.execute(
                sql: "DELETE FROM redactedPage WHERE byteOffset = ?", arguments: [next.byteOffset])
        }
        let result = try archive.verify(contacts.board.identity, keys: contacts.ownerKey.ownerKey)
        #expect(result.findings.map(\.kind).contains(.pagesMissing), "\(result.findings)")
    }

    @Test func `pages that are decoded again give the same history`() throws {
        let archive = try contacts.archive(sealed: false)
        try contacts.forgetExpired(archive)
        let history = try archive.history(of: contacts.board.identity)
        try archive.transaction { try archive.deleteWhatWasDecoded(ofBoard: 1, in: $0) }
        let reopened = try Archive(path: contacts.file.path, access: .existing)
        #expect(try reopened.history(of: contacts.board.identity) == history)
    }

    /// A failed write leaves a copy of entries that the board writes again behind it.
    @Test func `copies from a failed write are removed too`() throws {
        var calls = 0
        contacts.board.medium.programFails = { _ in
            calls += 1
            return calls.isMultiple(of: 2)
        }
        let archive = try contacts.archive(sealed: false)
        let findings = try archive.verify(contacts.board.identity).findings.map(\.kind)
        try contacts.forgetExpired(archive)
        #expect(try !contacts.fileHolds(ContactLog.tracer.payload))
        #expect(try !contacts.fileHolds(ContactLog.otherExposure.payload))
        let after = try archive.verify(contacts.board.identity).findings.map(\.kind).filter { kind in
            if case .redacted = kind { false } else { true }
        }
        #expect(after == findings)
    }

    @Test func `old segments are forgotten together with their redacted pages`() throws {
        let archive = try contacts.archive()
        try contacts.forgetExpired(archive)
        let plan = try #require(
            try archive.forgettingPlan(
                of: contacts.board.identity, before: ContactLog.now + .days(100)))
        try archive.forget(plan, keys: contacts.ownerKey.ownerKey, now: ContactLog.now)
        let result = try archive.verify(contacts.board.identity, keys: contacts.ownerKey.ownerKey)
        #expect(result.severity == .note)
        #expect(result.redactedPageCount == 0)
    }
}
