import EncounterLog
import FixedMemory
import Foundation
import GRDB
import LogContents
import TestSupport
import Testing

@testable import Archive

/// Removal of expired contacts while other entries of the same pages stay.
@Suite final class RedactionTests {
    private let file = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
    private let ownerKey: TestKey
    private let board: SealedBoard

    init() throws {
        ownerKey = try TestKey()
        board = try SealedBoard()
    }

    deinit {
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: file.path + ending)
        }
    }

    private func archive(sealed: Bool = true, _ entries: [LogEntry] = ContactLog.entries) throws -> Archive {
        try board.run(
            boot: ContactLog.boot, sealedFor: sealed ? ownerKey.publicHalf : nil, entries: entries)
        return try fetched()
    }

    private func fetched(keys: OwnerKeys? = nil) throws -> Archive {
        let archive = try Archive(path: file.path)
        try board.fetch(into: archive)
        try archive.decodePages(of: board.identity, keys: keys ?? ownerKey.ownerKey)
        return archive
    }

    @discardableResult
    private func forgetExpired(
        _ archive: Archive, _ retention: ContactRetention = ContactRetention(),
        now: WallClockTime = ContactLog.now
    ) throws -> RedactionPlan {
        let plan = try archive.redactionPlan(
            of: board.identity, keeping: retention, keys: ownerKey.ownerKey, now: now)
        try archive.redact(plan, keys: ownerKey.ownerKey)
        return plan
    }

    @discardableResult
    private func forget(_ identity: Identity, _ archive: Archive) throws -> RedactionPlan {
        let plan = try archive.redactionPlan(
            of: board.identity, forgetting: identity, keys: ownerKey.ownerKey,
            now: ContactLog.now)
        try archive.redact(plan, keys: ownerKey.ownerKey)
        return plan
    }

    /// True if the bytes occur anywhere in the archive's files.
    private func fileHolds(_ bytes: some Sequence<UInt8>) throws -> Bool {
        try ["", "-wal", "-shm"].contains { ending in
            guard FileManager.default.fileExists(atPath: file.path + ending) else { return false }
            return try Data(contentsOf: URL(filePath: file.path + ending)).range(of: Data(bytes)) != nil
        }
    }

    private func tracks(_ archive: Archive) throws -> [UInt32: RecordedTrack] {
        let tracks = try archive.history(of: board.identity).boots.flatMap(\.tracks)
        return Dictionary(tracks.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: By age

    @Test(arguments: [false, true])
    func whatIsOlderThanItsSchemeKeepsGoesAndTheRestOfThePageStays(sealed: Bool) throws {
        let archive = try archive(sealed: sealed)
        let before = try tracks(archive)
        let plan = try forgetExpired(archive)
        let after = try tracks(archive)
        #expect(before.keys.filter { after[$0] == nil }.sorted() == [2, 3])
        #expect(after[4]?.identifications.map(\.identity) == [ContactLog.otherHerald])
        for number in after.keys where number != 4 { #expect(after[number] == before[number], "\(number)") }
        #expect(
            plan.parts == [
                RedactionPlan.Part(
                    kind: .scheme(SchemeCode(.covidTracer)), encounterCount: 1, identityCount: 1),
                RedactionPlan.Part(
                    kind: .scheme(SchemeCode(.exposureNotification)), encounterCount: 2, identityCount: 2),
            ])
        #expect(plan.sampleCount == 2)
        #expect(plan.counts.entryCount == 9)
        #expect(plan.counts.unreadPageCount == 0)
        #expect(
            try archive.keysOfOpenedPages(of: board.identity)
                == (sealed ? [ownerKey.publicHalf.fingerprint] : []))
    }

    @Test(arguments: [false, true])
    func nothingOfItIsLeftInTheFile(sealed: Bool) throws {
        let archive = try archive(sealed: sealed)
        let gone = [
            ContactLog.tracer.payload, ContactLog.otherExposure.payload, ContactLog.address(2),
            ContactLog.address(3),
        ]
        for bytes in gone { #expect(try fileHolds(bytes)) }
        try forgetExpired(archive)
        for bytes in gone { #expect(try !fileHolds(bytes), "\(bytes)") }
        #expect(try fileHolds(ContactLog.address(4)))
    }

    /// A page refers to an identity in an earlier page of its segment, and that page is redacted.
    @Test func whoWasMetAgainSinceIsStillKnown() throws {
        let archive = try archive()
        let encounters = try archive.contents(
            ofSegment: 0, of: board.identity, keys: ownerKey.ownerKey.atWork()
        ).pages.map { Set($0.entries.compactMap(\.encounter)) }
        #expect(encounters.contains { $0.contains(6) && !$0.contains(2) })
        try forgetExpired(archive)
        #expect(try tracks(archive)[6]?.identifications.map(\.identity) == [ContactLog.exposure])
        // The identity stays until the later contact has expired too.
        try forgetExpired(archive, now: ContactLog.now + .days(5))
        #expect(try tracks(archive)[6] == nil)
        #expect(try !fileHolds(ContactLog.exposure.payload))
        #expect(try tracks(archive)[1] != nil)
    }

    @Test func messagesGoWithHeraldsContacts() throws {
        let archive = try archive()
        #expect(try fileHolds(ContactLog.words.utf8) && fileHolds(ContactLog.looseWords.utf8))
        try forgetExpired(archive)
        #expect(try fileHolds(ContactLog.words.utf8) && fileHolds(ContactLog.looseWords.utf8))
        var retention = ContactRetention()
        retention[.scheme(SchemeCode(.herald))] = 15
        let plan = try forgetExpired(archive, retention)
        #expect(plan.counts.messageCount == 2)
        #expect(try !fileHolds(ContactLog.words.utf8) && !fileHolds(ContactLog.looseWords.utf8))
        // Encounter 5 is unidentified, so Herald's retention time does not apply to it.
        #expect(try tracks(archive).keys.sorted().prefix(3) == [5, 6, 7])
    }

    /// Coverage and its counts do not belong to any contact.
    @Test func coverageClocksAndStartsStay() throws {
        let archive = try archive()
        var before = try archive.history(of: board.identity)
        var retention = ContactRetention()
        for rule in ContactRetention.usual { retention[rule.kind] = 1 }
        let plan = try forgetExpired(archive, retention)
        #expect(plan.parts.map(\.kind).contains(.unidentified))
        var after = try archive.history(of: board.identity)
        #expect(after.boots.allSatisfy { $0.tracks.isEmpty && $0.messages.isEmpty })
        #expect(after.boots.first?.coverage.count == 2)
        for index in before.boots.indices {
            before.boots[index].tracks = []
            before.boots[index].messages = []
        }
        after.holes = before.holes
        #expect(after == before)
    }

    @Test func whatNothingDatesStaysAndIsCounted() throws {
        let withoutAnchor = ContactLog.entries.filter { entry in
            if case .anchor = entry { false } else { true }
        }
        let archive = try archive(withoutAnchor)
        let before = try tracks(archive)
        let plan = try forgetExpired(archive)
        #expect(plan.isEmpty)
        #expect(plan.undatedCount == before.count)
        #expect(try tracks(archive) == before)
    }

    @Test func whatIsClosedIsCounted() throws {
        try board.run(
            boot: ContactLog.boot, sealedFor: ownerKey.publicHalf, entries: ContactLog.entries)
        let archive = try fetched(keys: OwnerKeys.none)
        let plan = try archive.redactionPlan(
            of: board.identity, keeping: ContactRetention(), keys: .none, now: ContactLog.now)
        #expect(plan.isEmpty)
        #expect(try plan.counts.unreadPageCount == archive.verify(board.identity).lockedPageCount)
    }

    @Test func toDoItAgainDoesNothing() throws {
        let archive = try archive()
        try forgetExpired(archive)
        let result = try archive.verify(board.identity, keys: ownerKey.ownerKey)
        #expect(try forgetExpired(archive, now: ContactLog.now + 1).isEmpty)
        #expect(try archive.verify(board.identity, keys: ownerKey.ownerKey) == result)
    }

    // MARK: One person

    @Test(arguments: [false, true])
    func ofAPersonNothingIsLeft(sealed: Bool) throws {
        let archive = try archive(sealed: sealed)
        let plan = try forget(ContactLog.exposure, archive)
        #expect(
            plan.parts == [
                RedactionPlan.Part(
                    kind: .scheme(SchemeCode(.exposureNotification)), encounterCount: 2, identityCount: 1)
            ])
        #expect(try Set([1, 3, 4, 5, 7]).isSubset(of: tracks(archive).keys))
        #expect(try tracks(archive)[2] == nil && tracks(archive)[6] == nil)
        let gone = [ContactLog.exposure.payload, ContactLog.address(2), ContactLog.address(6)]
        for bytes in gone { #expect(try !fileHolds(bytes), "\(bytes)") }
        let hash = ContactLog.exposure.hash.bytes
        #expect(try !fileHolds(hash))
    }

    /// Removal also covers another scheme's identity of the same device, and its other addresses. A payload
    /// that others shared is removed with its own identity.
    @Test func withAPersonGoesWhatTheSameDeviceWas() throws {
        let address = ContactLog.address(4)
        let more =
            ContactLog.contact(300, [ContactLog.herald], at: 8_000) + [
                ContactLog.otherAddress(of: 300, address, at: 9_000),
                ContactLog.sharing(ContactLog.otherHerald, by: 5, at: 9_500),
            ]
        let archive = try archive(ContactLog.head + ContactLog.firstDay + more + ContactLog.tenthDay)
        try forget(ContactLog.otherExposure, archive)
        let left = try tracks(archive)
        #expect(left[4] == nil && left[300] == nil)
        #expect(left[1] != nil && left[5] != nil && left[7] != nil)
        #expect(try !fileHolds(ContactLog.otherExposure.payload) && !fileHolds(address))
        // The shared payload is another identity; it is removed only on request.
        #expect(try fileHolds(ContactLog.otherHerald.payload))
        try forget(ContactLog.otherHerald, archive)
        #expect(try !fileHolds(ContactLog.otherHerald.payload))
    }

    // MARK: Verification

    @Test(arguments: [false, true])
    func verifySaysThatItWasOnPurposeAndTheChainHoldsAcross(withKey: Bool) throws {
        let archive = try archive()
        let before = try archive.verify(board.identity, keys: ownerKey.ownerKey)
        let plan = try forgetExpired(archive)
        let result = try archive.verify(board.identity, keys: withKey ? ownerKey.ownerKey : .none)
        #expect(result.severity == .note, "\(result.findings)")
        let redaction = Redaction(time: ContactLog.now, schemes: ["covid-tracer", "exposure-notification"])
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

    @Test func whatIsChangedOrMissingElseIsFoundAsBefore() throws {
        try board.run(
            boot: ContactLog.boot, sealedFor: ownerKey.publicHalf, entries: ContactLog.entries)
        let victim = board.segments[1]
        let place = PageForge.pages(of: victim.bytes, ordinal: victim.ordinal, board.medium.geometry)[2]
        let archive = try Archive(path: file.path)
        try board.fetch(into: archive) { ordinal, bytes in
            guard ordinal == victim.ordinal else { return }
            bytes.replaceSubrange(place.range, with: repeatElement(0xff, count: place.byteCount))
        }
        try archive.decodePages(of: board.identity, keys: ownerKey.ownerKey)
        try forgetExpired(archive)
        let result = try archive.verify(board.identity, keys: ownerKey.ownerKey)
        #expect(result.findings.filter { $0.severity > .note }.map(\.kind) == [.pagesMissing])
    }

    /// Pages beside a redacted one cannot be replaced unnoticed, because the stored chain value fixes what
    /// preceded it.
    @Test func aPageTakenOutBesideARedactedOneIsMissed() throws {
        let archive = try archive()
        try forgetExpired(archive)
        let redacted = try archive.contents(ofSegment: 0, of: board.identity).pages
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
        let result = try archive.verify(board.identity, keys: ownerKey.ownerKey)
        #expect(result.findings.map(\.kind).contains(.pagesMissing), "\(result.findings)")
    }

    // MARK: Later

    @Test func pagesDecodedAnewSayTheSame() throws {
        let archive = try archive(sealed: false)
        try forgetExpired(archive)
        let history = try archive.history(of: board.identity)
        try archive.transaction { try archive.deleteWhatWasDecoded(ofBoard: 1, in: $0) }
        let reopened = try Archive(path: file.path, access: .existing)
        #expect(try reopened.history(of: board.identity) == history)
    }

    /// A failed write leaves a copy of entries that the board writes again behind it.
    @Test func whatAWriteThatFailedLeftIsGoneToo() throws {
        var calls = 0
        board.medium.programFails = { _ in
            calls += 1
            return calls.isMultiple(of: 2)
        }
        let archive = try archive(sealed: false)
        let findings = try archive.verify(board.identity).findings.map(\.kind)
        try forgetExpired(archive)
        #expect(try !fileHolds(ContactLog.tracer.payload))
        #expect(try !fileHolds(ContactLog.otherExposure.payload))
        let after = try archive.verify(board.identity).findings.map(\.kind).filter { kind in
            if case .redacted = kind { false } else { true }
        }
        #expect(after == findings)
    }

    @Test func segmentsThatAreOlderAreForgottenWithTheirRedactedPages() throws {
        let archive = try archive()
        try forgetExpired(archive)
        let plan = try #require(
            try archive.forgettingPlan(
                of: board.identity, before: ContactLog.now + .days(100)))
        try archive.forget(plan, keys: ownerKey.ownerKey, now: ContactLog.now)
        let result = try archive.verify(board.identity, keys: ownerKey.ownerKey)
        #expect(result.severity == .note)
        #expect(result.redactedPageCount == 0)
    }
}

@Suite struct ContactRetentionTests {
    @Test func everySchemeThatBoardsKnowHasItsTime() {
        let kinds = ContactRetention.usual.map(\.kind)
        #expect(Set(kinds).count == kinds.count)
        for scheme in SchemeCode.named { #expect(kinds.contains(.scheme(scheme)), "\(scheme.label)") }
        let retention = ContactRetention()
        for (label, days) in [
            ("herald", 28), ("sonar", 28), ("covid-tracer", 15), ("ble-proximity", 28),
            ("exposure-notification", 14), ("blue-trace", 21), ("dp3t", 14),
        ] {
            #expect(ContactKind(label: label).map { retention[$0] } == days)
        }
    }

    /// Not longer than boards keep their logs, and not shorter than any scheme's retention time.
    @Test func whatIsOfNoKnownSchemeIsKeptAsLongAsTheLongest() {
        let retention = ContactRetention()
        #expect(retention[.unidentified] == ContactRetention.usual.map(\.days).max())
        #expect(retention[.scheme(SchemeCode(rawValue: 99))] == retention[.unidentified])
    }
}
