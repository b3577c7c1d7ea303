import Archive
import Testing

@testable import Exports

@Suite struct SurveyTests {
    private static let day: Int64 = 86_400_000
    /// 2026-11-25 00:00 UTC.
    private static let midnight: Int64 = 1_795_564_800_000

    @Test
    func `a contact over midnight is one of each day, with the time of each`() throws {
        let survey = try survey([.of(1, 2, Self.midnight - 600_000, Self.midnight + 120_000)])
        #expect(try survey.dayMinutes == [[1, 2]: [10.0, 2.0], [2, 1]: [10.0, 2.0]])
        #expect(survey.participantCount == 4)
    }

    @Test
    func `a contact that ends at midnight is not one of the next day`() throws {
        #expect(try survey([.of(1, 2, Self.midnight - 60_000, Self.midnight)]).participantCount == 2)
    }

    @Test
    func `a contact of several days has whole days in between`() throws {
        let survey = try survey([.of(1, 2, Self.midnight, Self.midnight + 2 * Self.day + 60_000)])
        #expect(try survey.dayMinutes[[1, 2]] == [1440, 1440, 1])
    }

    @Test
    func `time that two contacts of unequal certainty share counts once`() throws {
        let survey = try survey([
            .of(1, 2, Self.midnight, Self.midnight + 600_000),
            .of(1, 2, Self.midnight + 300_000, Self.midnight + 900_000, certainty: .written),
        ])
        #expect(try survey.dayMinutes[[1, 2]] == [15])
    }

    private func survey(_ contacts: [NetworkContact]) throws -> SurveyTables {
        try SurveyTables(PairTable(contacts))
    }
}

extension SurveyTables {
    /// The minutes of each day, by the participant and the other one.
    fileprivate var dayMinutes: [[Int]: [Double]] {
        get throws {
            var minutes: [[Int]: [Double]] = [:]
            try forEachEntry { entry in
                minutes[[entry.own, entry.other], default: []].append(Double(entry.milliseconds) / 60_000)
                return true
            }
            return minutes
        }
    }
}
