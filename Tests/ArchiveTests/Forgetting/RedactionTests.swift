import EncounterLog
import FixedMemory
import LogContents
import TestSupport
import Testing

@testable import Archive

/// Removal of expired contacts and of one person's, while other entries of the same pages stay.
@Suite struct RedactionTests {
    private let contacts: ContactArchive

    init() throws { contacts = try ContactArchive() }

    @Test(arguments: [false, true])
    func `expired contacts are removed and the other entries of the page stay`(sealed: Bool) throws {
        let archive = try contacts.archive(sealed: sealed)
        let before = try contacts.tracks(archive)
        let plan = try contacts.forgetExpired(archive)
        let after = try contacts.tracks(archive)
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
            try archive.keysOfOpenedPages(of: contacts.board.identity)
                == (sealed ? [contacts.ownerKey.publicHalf.fingerprint] : []))
    }

    @Test(arguments: [false, true])
    func `no byte of an expired contact stays in the file`(sealed: Bool) throws {
        let archive = try contacts.archive(sealed: sealed)
        let gone = [
            ContactLog.tracer.payload, ContactLog.otherExposure.payload, ContactLog.address(2),
            ContactLog.address(3),
        ]
        for bytes in gone { #expect(try contacts.fileHolds(bytes)) }
        try contacts.forgetExpired(archive)
        for bytes in gone { #expect(try !contacts.fileHolds(bytes), "\(bytes)") }
        #expect(try contacts.fileHolds(ContactLog.address(4)))
    }

    /// A page refers to an identity in an earlier page of its segment, and that page is redacted.
    @Test func `a peer that was met again since is still identified`() throws {
        let archive = try contacts.archive()
        let encounters = try archive.contents(
            ofSegment: 0, of: contacts.board.identity, keys: contacts.ownerKey.ownerKey.atWork()
        ).pages.map { Set($0.entries.compactMap(\.encounter)) }
        #expect(encounters.contains { $0.contains(6) && !$0.contains(2) })
        try contacts.forgetExpired(archive)
        #expect(try contacts.tracks(archive)[6]?.identifications.map(\.identity) == [ContactLog.exposure])
        // The identity stays until the later contact has expired too.
        try contacts.forgetExpired(archive, now: ContactLog.now + .days(5))
        #expect(try contacts.tracks(archive)[6] == nil)
        #expect(try !contacts.fileHolds(ContactLog.exposure.payload))
        #expect(try contacts.tracks(archive)[1] != nil)
    }

    @Test func `messages are removed together with Herald's contacts`() throws {
        let archive = try contacts.archive()
        #expect(try contacts.fileHolds(ContactLog.text.utf8) && contacts.fileHolds(ContactLog.looseText.utf8))
        try contacts.forgetExpired(archive)
        #expect(try contacts.fileHolds(ContactLog.text.utf8) && contacts.fileHolds(ContactLog.looseText.utf8))
        var retention = ContactRetention()
        retention[.scheme(SchemeCode(.herald))] = 15
        let plan = try contacts.forgetExpired(archive, retention)
        #expect(plan.counts.messageCount == 2)
        #expect(
            try !contacts.fileHolds(ContactLog.text.utf8) && !contacts.fileHolds(ContactLog.looseText.utf8))
        // Encounter 5 is unidentified, so Herald's retention time does not apply to it.
        #expect(try contacts.tracks(archive).keys.sorted().prefix(3) == [5, 6, 7])
    }

    /// Coverage and its counts do not belong to any contact.
    @Test func `coverage, clocks and boots stay`() throws {
        let archive = try contacts.archive()
        var before = try archive.history(of: contacts.board.identity)
        var retention = ContactRetention()
        for rule in ContactRetention.usual { retention[rule.kind] = 1 }
        let plan = try contacts.forgetExpired(archive, retention)
        #expect(plan.parts.map(\.kind).contains(.unidentified))
        var after = try archive.history(of: contacts.board.identity)
        #expect(after.boots.allSatisfy { $0.tracks.isEmpty && $0.messages.isEmpty })
        #expect(after.boots.first?.coverage.count == 2)
        for index in before.boots.indices {
            before.boots[index].tracks = []
            before.boots[index].messages = []
        }
        after.holes = before.holes
        #expect(after == before)
    }

    @Test func `contacts without a date stay and are counted`() throws {
        let withoutAnchor = ContactLog.entries.filter { entry in
            if case .anchor = entry { false } else { true }
        }
        let archive = try contacts.archive(withoutAnchor)
        let before = try contacts.tracks(archive)
        let plan = try contacts.forgetExpired(archive)
        #expect(plan.isEmpty)
        #expect(plan.undatedCount == before.count)
        #expect(try contacts.tracks(archive) == before)
    }

    @Test func `locked pages are counted`() throws {
        try contacts.board.run(
            boot: ContactLog.boot, sealedFor: contacts.ownerKey.publicHalf, entries: ContactLog.entries)
        let archive = try contacts.fetched(keys: OwnerKeys.none)
        let plan = try archive.redactionPlan(
            of: contacts.board.identity, keeping: ContactRetention(), keys: .none,
            now: ContactLog.now)
        #expect(plan.isEmpty)
        #expect(try plan.counts.unreadPageCount == archive.verify(contacts.board.identity).lockedPageCount)
    }

    @Test func `a second removal does nothing`() throws {
        let archive = try contacts.archive()
        try contacts.forgetExpired(archive)
        let result = try archive.verify(contacts.board.identity, keys: contacts.ownerKey.ownerKey)
        #expect(try contacts.forgetExpired(archive, now: ContactLog.now + 1).isEmpty)
        #expect(try archive.verify(contacts.board.identity, keys: contacts.ownerKey.ownerKey) == result)
    }

    @Test(arguments: [false, true])
    func `no byte of the forgotten person stays in the file`(sealed: Bool) throws {
        let archive = try contacts.archive(sealed: sealed)
        let plan = try contacts.forget(ContactLog.exposure, archive)
        #expect(
            plan.parts == [
                RedactionPlan.Part(
                    kind: .scheme(SchemeCode(.exposureNotification)), encounterCount: 2, identityCount: 1)
            ])
        #expect(try Set([1, 3, 4, 5, 7]).isSubset(of: contacts.tracks(archive).keys))
        #expect(try contacts.tracks(archive)[2] == nil && contacts.tracks(archive)[6] == nil)
        let gone = [ContactLog.exposure.payload, ContactLog.address(2), ContactLog.address(6)]
        for bytes in gone { #expect(try !contacts.fileHolds(bytes), "\(bytes)") }
        let hash = ContactLog.exposure.hash.bytes
        #expect(try !contacts.fileHolds(hash))
    }

    /// Removal also covers another scheme's identity of the same device, and its other addresses. A payload
    /// that others shared is removed with its own identity.
    @Test func `the forgotten person's other identities and addresses are removed too`() throws {
        let address = ContactLog.address(4)
        let more =
            ContactLog.contact(300, [ContactLog.herald], at: 8_000) + [
                ContactLog.otherAddress(of: 300, address, at: 9_000),
                ContactLog.sharing(ContactLog.otherHerald, by: 5, at: 9_500),
            ]
        let archive = try contacts.archive(ContactLog.head + ContactLog.firstDay + more + ContactLog.tenthDay)
        try contacts.forget(ContactLog.otherExposure, archive)
        let left = try contacts.tracks(archive)
        #expect(left[4] == nil && left[300] == nil)
        #expect(left[1] != nil && left[5] != nil && left[7] != nil)
        #expect(try !contacts.fileHolds(ContactLog.otherExposure.payload) && !contacts.fileHolds(address))
        // The shared payload is another identity; it is removed only on request.
        #expect(try contacts.fileHolds(ContactLog.otherHerald.payload))
        try contacts.forget(ContactLog.otherHerald, archive)
        #expect(try !contacts.fileHolds(ContactLog.otherHerald.payload))
    }
}
