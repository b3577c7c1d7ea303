import Archive
import FixedMemory
import Foundation
import Testing

@testable import Reports

/// Checks that the stated times are true, from adverts on the air to rows of the exports.
@Suite struct TimeInSimulationTests {
    /// Six boots; a host meets the board in the third and at the end.
    private func life(seed: UInt64) throws -> TimelessBoard {
        let board = try TimelessBoard(seed: seed)
        for start in 0..<6 {
            board.powerOn()
            board.receive(2)
            if start == 2 { try board.meetHost() }
            board.receive(1)
            if start == 5 { try board.meetHost() }
            board.rest(upTo: start.isMultiple(of: 2) ? .hours(6) : .hours(1))
        }
        board.end()
        return board
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `a board from 1970 that meets a host twice: exported times are within their errors`(seed: UInt64)
        throws
    {
        let board = try life(seed: seed)
        let identity = try #require(try board.archive.boards().first).identity
        let history = try board.archive.history(of: identity, withReadings: true)
        let encounters = EncounterAssembly.encounters(of: history)
        try #require(history.placements().map(\.basis) == [.none, .none, .host, .order, .order, .host])
        try #require(encounters.count == 18)

        let tallies = try check(encounters, history, board, seed)
        #expect(tallies.map(\.uncheckedCount) == [0, 0, 0])
        let errors = tallies[0].errors
        // The times of a boot that a host met are known to a fraction of a second. Other boots are known to
        // half of the off time between two such boots, and of the minute in an empty room before each power
        // cut, of which the log has nothing.
        let offMilliseconds: Double = board.restMilliseconds[2...4].reduce(0, +)
        let (host, order) = (errors["host"]?.max() ?? .infinity, errors["order"]?.max() ?? .infinity)
        #expect(host < 500)
        #expect(order < offMilliseconds / 2 + 60_000)
    }

    @Test(arguments: [UInt64(101), 102, 103, 104])
    func `a board that goes on from the last shutdown's time, whatever becomes of it`(seed: UInt64) throws {
        let board = try TimelessBoard(seed: seed, restoresClock: true)
        board.powerOn()
        for start in 0..<6 {
            board.receive(1 + Int(board.draw(below: 2)))
            if start == 5 || board.draw(below: 3) == 0 { try board.meetHost() }
            if board.draw(below: 2) == 0 {
                board.restartAgent()
            } else {
                board.rest(upTo: .hours(1 + board.draw(below: 5)))
                board.powerOn()
            }
        }
        board.end()
        let identity = try #require(try board.archive.boards().first).identity
        let history = try board.archive.history(of: identity, withReadings: true)
        _ = try check(EncounterAssembly.encounters(of: history), history, board, seed)
    }

    /// Checks the times of encounters, readings and coverage.
    private func check(
        _ encounters: [Encounter], _ history: BoardHistory, _ board: TimelessBoard, _ seed: UInt64
    ) throws -> [Tally] {
        print("seed \(seed), quartz off by \(board.board.setup.driftPPM) ppm")
        let tallies = [
            ("encounters", try encounterTimes(encounters, board)),
            ("readings", try readingTimes(encounters, board)),
            ("coverage", coverageTimes(history, board)),
        ]
        for (what, tally) in tallies {
            print("  \(what): \(tally.text)")
            #expect(tally.statedCount > 0)
            #expect(100 * tally.rightCount >= 99 * tally.statedCount, "seed \(seed), \(what)")
        }
        return tallies.map(\.1)
    }

    private func encounterTimes(_ encounters: [Encounter], _ board: TimelessBoard) throws -> Tally {
        var tally = Tally()
        for row in ExportedRow.rows(EncounterCSV.text(encounters)) {
            let readings = try #require(board.readings[row["addresses"]])
            let (first, last) = (readings[0], readings[readings.count - 1])
            for (end, truth) in [("start", first), ("end", last)] {
                tally.check(
                    row.time(end), row.milliseconds("\(end)_error_seconds"), truth, row["clock_basis"])
            }
            guard row["clock_basis"] == "none" else { continue }
            // Before the host's first visit only an upper bound of the time is known, and no error is
            // invented.
            #expect(row["start"].isEmpty && row["start_error_seconds"].isEmpty && row["not_before"].isEmpty)
            #expect(try #require(row.time("not_after")) >= last)
        }
        return tally
    }

    private func readingTimes(_ encounters: [Encounter], _ board: TimelessBoard) throws -> Tally {
        var tally = Tally()
        for encounter in encounters where encounter.isOnWallClock {
            let readings = try #require(board.readings[encounter.addresses[0].text])
            let rows = ExportedRow.rows(ReadingDocument.csv([encounter]))
            #expect(rows.count == readings.count)
            for (row, truth) in zip(rows, readings) {
                tally.check(
                    row.time("time"), row.milliseconds("error_seconds"), truth, encounter.basis.rawValue)
            }
        }
        return tally
    }

    /// Checks interval ends that are a moment of the board's clock.
    private func coverageTimes(_ history: BoardHistory, _ board: TimelessBoard) -> Tally {
        var tally = Tally()
        for row in ExportedRow.rows(CoverageCSV.text(CoverageAssembly.timelines(of: history))) {
            for end in ["start", "end"] {
                guard let moment = UInt64(row["\(end)_monotonic_milliseconds"]),
                    let boot = UInt64(row["boot"], radix: 16),
                    let truth = board.wallTime(of: Instant(milliseconds: moment), boot: boot)
                else { continue }
                tally.check(row.time(end), row.milliseconds("\(end)_error_seconds"), truth, row["state"])
            }
        }
        return tally
    }
}

/// Counts the stated times and those within their error of the truth, and collects the errors.
private struct Tally {
    private(set) var statedCount = 0
    private(set) var rightCount = 0
    /// Times of an unchecked clock, which are stated without an error.
    private(set) var uncheckedCount = 0
    /// In milliseconds, by the basis of the times or the kind of interval.
    private(set) var errors: [String: [Double]] = [:]

    /// All values are in milliseconds.
    mutating func check(_ time: Double?, _ error: Double?, _ truth: Double, _ what: String) {
        guard let time else { return }
        guard let error else {
            uncheckedCount += 1
            return
        }
        statedCount += 1
        if abs(time - truth) <= error { rightCount += 1 }
        errors[what, default: []].append(error)
    }

    var text: String {
        let parts = errors.sorted { $0.key < $1.key }.map { what, errors in
            let sorted = errors.sorted()
            let (median, worst) = (sorted[sorted.count / 2] / 1_000, sorted[sorted.count - 1] / 1_000)
            return "\(what) \(sorted.count), error \(sorted[0] / 1_000) to \(worst) s, median \(median) s"
        }
        return "\(rightCount) of \(statedCount) right, \(uncheckedCount) without an error; "
            + parts.joined(separator: "; ")
    }
}

/// A line of a CSV export whose fields contain no commas.
private struct ExportedRow {
    private let fields: [String: String]

    static func rows(_ csv: String) -> [ExportedRow] {
        let lines = csv.components(separatedBy: "\r\n").filter { !$0.isEmpty }
            .map { $0.components(separatedBy: ",") }
        return lines.dropFirst().map { line in
            ExportedRow(fields: Dictionary(zip(lines[0], line), uniquingKeysWith: { first, _ in first }))
        }
    }

    subscript(_ column: String) -> String { fields[column] ?? "" }

    func time(_ column: String) -> Double? {
        TimeArgument.time(self[column], now: WallClockTime(milliseconds: 0)).map { Double($0.milliseconds) }
    }

    func milliseconds(_ column: String) -> Double? { Double(self[column]).map { $0 * 1_000 } }
}
