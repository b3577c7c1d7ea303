import FixedMemory
import Foundation
import GRDB
import LogContents
import TestSupport
import Testing

@testable import Archive

/// Encounters and contacts in the archive's tables, which grow with each import.
@Suite struct StoredEncounterTests {
    /// `make histories` runs 200.
    private static let seeds = Array(
        1...(ProcessInfo.processInfo.environment["TABARD_HISTORIES"].flatMap { UInt64($0) } ?? 50))
    private static let stepCount = 15

    /// Three boards that hear each other. The second and the third serve one identity in common.
    private static func courses(seed: UInt64, in archive: Archive) throws -> [RandomCourse] {
        let peers = RandomEntries.peers
        return try [[peers[0], peers[1]], [peers[2], peers[4]], [peers[2], peers[3]]].enumerated().map {
            number, served in
            try RandomCourse(
                seed: seed + 1_000 * UInt64(number), in: archive, firstIdentityByte: UInt8(1 + 50 * number),
                serving: served)
        }
    }

    @Test(arguments: seeds)
    func `after each step the tables have the encounters of the whole history, and equal tables made anew`(
        seed: UInt64
    ) throws {
        let archive = try Archive(inMemoryNamed: "course")
        let courses = try Self.courses(seed: seed, in: archive)
        for number in 0..<Self.stepCount {
            let step = try courses[number % courses.count].advance()
            let place: Comment = "seed \(seed), step \(number), \(step)"
            try expectWholeHistory(archive, place)
            try expectEachSightingInAContact(archive, place)
            try expectEqualCoverageWithoutTracks(archive, place)
            try expectSamples(archive, place)
        }
        for course in courses { try course.finish() }
        let grown = try DerivedRows(archive)
        try archive.rebuild(keys: OwnerKeys(scalars: courses.flatMap(\.scalars)))
        let made = try DerivedRows(archive)
        #expect(grown == made, "seed \(seed)\n\(DerivedRows.difference(grown, made))")
    }

    private func expectWholeHistory(_ archive: Archive, _ place: Comment) throws {
        let stored = try archive.encounterSummaries()
        let assembled = try archive.encounters().map(\.summary)
        // Encounters with equal times may stand in another order.
        guard stored != assembled else { return }
        #expect(stored.map { "\($0)" }.sorted() == assembled.map { "\($0)" }.sorted(), place)
    }

    /// The samples of single encounters are those that the whole history gives them.
    private func expectSamples(_ archive: Archive, _ place: Comment) throws {
        let whole = try archive.encounters().filter { !$0.samples.isEmpty }
        let chosen = whole.enumerated().filter { $0.offset.isMultiple(of: 3) }.map(\.element)
        #expect(try archive.encounters(chosen.map(\.summary)).map(\.samples) == chosen.map(\.samples), place)
        let measured = try archive.encounters(withReadings: true)
        var streamed: [Encounter] = []
        try archive.forEachEncounterWithReadings {
            streamed.append($0)
            return true
        }
        guard streamed != measured else { return }
        #expect(
            streamed.map { "\($0.samples) \($0.readings)" }.sorted()
                == measured.map { "\($0.samples) \($0.readings)" }.sorted(), place)
    }

    /// The table `placement` must say the same of a boot's times as its tracks.
    private func expectEqualCoverageWithoutTracks(_ archive: Archive, _ place: Comment) throws {
        for board in try archive.boards().map(\.identity) {
            let (whole, lean) = try (
                archive.history(of: board), archive.history(of: board, withTracks: false)
            )
            #expect(whole.placements() == lean.placements(), place)
            #expect(
                CoverageAssembly.timelines(of: whole) == CoverageAssembly.timelines(of: lean), place)
        }
    }

    private func expectEachSightingInAContact(_ archive: Archive, _ place: Comment) throws {
        let counts = try archive.reading { database in
            try Int.fetchAll(
                database,
                sql: """
                    SELECT count(*) FROM sighting WHERE contactID IS NULL
                    UNION ALL SELECT count(*) FROM contact
                        WHERE id NOT IN (SELECT contactID FROM sighting WHERE contactID IS NOT NULL)
                    """)
        }
        #expect(counts == [0, 0], place)
    }
}
