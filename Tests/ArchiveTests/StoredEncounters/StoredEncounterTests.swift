import FixedMemory
import LogContents
import TestSupport
import Testing

@testable import Archive

/// Encounters in the archive's tables, which grow with each import.
@Suite struct StoredEncounterTests {
    private static let seeds = Array(1...200 as ClosedRange<UInt64>)
    private static let stepCount = 10

    @Test(arguments: seeds)
    func `after each step the tables have the encounters of the whole history, and equal tables made anew`(
        seed: UInt64
    ) throws {
        let course = try RandomCourse(seed: seed)
        for number in 1...Self.stepCount {
            let step = try course.advance()
            try expectWholeHistory(course.archive, "seed \(seed), step \(number), \(step)")
        }
        try course.finish()
        let grown = try DerivedRows(course.archive)
        try course.archive.rebuild(keys: course.allKeys)
        let made = try DerivedRows(course.archive)
        #expect(grown == made, "seed \(seed)\n\(DerivedRows.difference(grown, made))")
    }

    private func expectWholeHistory(_ archive: Archive, _ place: Comment) throws {
        let stored = try archive.encounterSummaries()
        let assembled = try archive.encounters().map(\.summary)
        // Encounters with equal times may stand in another order.
        guard stored != assembled else { return }
        #expect(stored.map { "\($0)" }.sorted() == assembled.map { "\($0)" }.sorted(), place)
    }
}
