import Archive
import TestSupport
import Testing

/// Logs of a board that lost its key file and made a new key.
@Suite struct VerifyKeyChangeTests {
    private let log: AlteredLog

    init() throws { log = try AlteredLog() }

    private var newKeyFinding: LogFinding.Kind { .keyChanged(log.board.key.publicHalf.fingerprint) }

    /// Continues the board's log with a new key in another boot.
    private func loseKeyAndRun(boot: UInt64) throws {
        try log.board.loseKey()
        try log.board.run(
            boot: boot, sealedFor: log.ownerKey.publicHalf,
            entries: TestLog.entries(boot: boot, trackCount: AlteredLog.trackCount))
    }

    @Test func `each part of a log is checked with the key of its time`() throws {
        try log.board.fetch(into: log.archive)
        let end = try #require(log.board.segments.last).ordinal
        try loseKeyAndRun(boot: 4)
        let result = try log.verify()
        #expect(kinds(result).isEmpty, "\(result.findings)")
        let change = try #require(result.findings.first { $0.kind == newKeyFinding })
        #expect(change.position?.segmentOrdinal ?? 0 >= end)
        #expect(change.severity == .note)
    }

    @Test func `pages signed with an unvouched key are forged, and a finding names the key`() throws {
        try log.board.fetch(into: log.archive)
        let known = try #require(try log.archive.keys(of: log.board.identity))
        try loseKeyAndRun(boot: 4)
        for segment in log.board.segments {
            try log.archive.append(segment.bytes, at: 0, segment: segment.ordinal, of: log.board.identity)
        }
        try log.archive.record(log.board.shownKey(isVouched: false), of: log.board.identity)
        let result = try log.archive.verify(log.board.identity)
        #expect(kinds(result).contains(.forgedHeaders))
        #expect(kinds(result, from: .damage).allSatisfy { $0 == .forgedHeaders })
        #expect(result.findings.map(\.kind).contains(.keyNotVouched(log.board.key.publicHalf.fingerprint)))
        #expect(try log.archive.keys(of: log.board.identity) == known)
    }

    /// The situation after somebody restored an older key file.
    @Test func `a key that was replaced signs nothing any more`() throws {
        let first = log.board.shownKey(isVouched: true)
        try log.board.fetch(into: log.archive)
        try loseKeyAndRun(boot: 4)
        let second = log.board.shownKey(isVouched: true)
        let other = try Archive(inMemoryNamed: "other way round")
        try log.board.fetch(into: other)
        try other.record(first, of: log.board.identity)
        #expect(try kinds(other.verify(log.board.identity)).contains(.forgedHeaders))
        try log.archive.record(second, of: log.board.identity)
        #expect(try kinds(log.verify()).isEmpty)
    }

    @Test func `a manifest signed by the key of its time is valid`() throws {
        let before = try log.manifest(log.board.head)
        try log.board.fetch(into: log.archive)
        try loseKeyAndRun(boot: 4)
        let result = try log.verify([before, log.manifest(log.board.head)])
        #expect(kinds(result).isEmpty)
        #expect(result.manifestCount == 2)
    }
}
