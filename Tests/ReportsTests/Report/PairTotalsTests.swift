import ArchiveTestSupport
import FixedMemory
import LogContents
import TestSupport
import Testing

@testable import Archive
@testable import Reports

@Suite struct PairTotalsTests {
    static func board(_ number: Int) throws -> LogIdentity {
        try #require(LogIdentity((0..<16).map { UInt8(truncatingIfNeeded: number >> ($0 * 8 % 32)) }))
    }

    static func archived(_ board: LogIdentity, _ name: String) -> ArchivedBoard {
        TwoBoards.archived(board, name)
    }

    static func contact(_ first: LogIdentity, _ second: LogIdentity, from start: Int64, to end: Int64)
        -> BoardContact
    {
        BoardContact(
            first: .init(board: first, encounterCount: 1, readingCount: 1),
            second: .init(board: second, encounterCount: 0, readingCount: 0),
            timeline: .wallClock(error: 0), start: TimelinePoint(milliseconds: start),
            end: TimelinePoint(milliseconds: end), certainty: .served)
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `times together are those of a plain computation by seconds`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let boards = try (1...4).map(Self.board)
        let contacts = (0..<60).map { _ in
            let pair = boards.indices.shuffled(using: &generator).prefix(2).sorted()
            let start = Int64.random(in: 0..<500, using: &generator)
            let end = start + Int64.random(in: 0..<90, using: &generator)
            return Self.contact(boards[pair[0]], boards[pair[1]], from: start * 1_000, to: end * 1_000)
        }.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        var totals = PairTotals(since: 100_000, until: 400_000)
        for contact in contacts { totals.add(contact) }
        for (pair, sum) in totals.sums {
            let own = contacts.filter { $0.first.board == pair.first && $0.second.board == pair.second }
            let seconds = (100..<400 as Range<Int64>).count { second in
                own.contains {
                    $0.start.milliseconds <= second * 1_000 && second * 1_000 < $0.end.milliseconds
                }
            }
            #expect(sum.time == .seconds(UInt64(seconds)) && sum.contactCount == own.count, "seed \(seed)")
        }
        #expect(totals.contactCount == contacts.count, "seed \(seed)")
        let degrees = totals.degrees()
        for board in boards {
            let met = totals.sums.keys.count { $0.contains(board) }
            #expect(degrees[board]?.boardCount ?? 0 == met, "seed \(seed)")
        }
    }

    @Test func `a matrix has each pair once in each half, and sums up what has no room`() throws {
        let boards = try (0..<60).map(Self.board)
        var totals = PairTotals()
        for (number, board) in boards.enumerated().dropFirst() {
            totals.add(Self.contact(boards[0], board, from: 0, to: Int64(number) * 60_000))
        }
        let summaries = boards.enumerated().map { Self.archived($1, "Board \($0)") }
        let matrix = ContactMatrix(
            totals, boards: summaries, names: BoardNames(summaries), labels: Labels(), byGroup: false)
        #expect(matrix.names.count == 41 && matrix.names.last == "20 others")
        #expect(matrix[0, 1] == matrix[1, 0] && matrix[1, 2].contactCount == 0)
        let sum = (0..<41).reduce(0) { $0 + matrix[0, $1].contactCount }
        #expect(sum == 59 && matrix[0, 40].contactCount == 20)
    }

    @Test func `groups are summed up, and small ones joined`() throws {
        let boards = try (0..<6).map(Self.board)
        var labels = Labels()
        for (number, group) in ["ward 3", "ward 3", "ward 3", "ward 5", "ward 7"].enumerated() {
            labels[.board(boards[number])] = Label(group: group)
        }
        var totals = PairTotals()
        for one in 0..<6 {
            for other in one + 1..<6 {
                totals.add(Self.contact(boards[one], boards[other], from: 0, to: 60_000))
            }
        }
        let summaries = boards.enumerated().map { Self.archived($1, "Board \($0)") }
        let names = BoardNames(summaries)
        let all = ContactMatrix(totals, boards: summaries, names: names, labels: labels, byGroup: true)
        #expect(all.names == ["ward 3", "ward 5", "ward 7", "no group"] && all.sizes == [3, 1, 1, 1])
        #expect(all[0, 0].contactCount == 3 && all[0, 1].time == .minutes(3) && all[1, 1].contactCount == 0)
        let guarded = ContactMatrix(
            totals, boards: summaries, names: names, labels: labels, byGroup: true, smallestGroup: 2)
        #expect(guarded.names == ["ward 3", "small groups"] && guarded[0, 1].contactCount == 9)
    }
}
