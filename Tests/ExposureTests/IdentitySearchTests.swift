import ArchiveTestSupport
import EncounterLog
import FixedMemory
import Schemes
import TestSupport
import Testing

@testable import Archive
@testable import Exposure

@Suite struct IdentitySearchTests {
    private let morning = SampleWorld.morning
    private let day = SampleWorld.morning.days * 86_400

    private let root = CovidTracerRootKey(Bytes())

    private func key() throws -> PublishedIdentityKey<CovidTracerDailyKey> {
        let key = try root.dailyKey(of: CalendarDate(daysSince1970: UInt32(day / 86_400)))
        return PublishedIdentityKey(key, text: "key", kind: "positive")
    }

    /// The identity of the hour from nine o'clock on, heard for ten minutes. The encounter begins `minutes`
    /// after nine.
    private func encounter(
        afterMinutes minutes: Int64, isDated: Bool = true, sampleCount: Int = 75
    ) throws -> Encounter {
        var root = root
        let identity = try CovidTracer.identity(at: morning.seconds, by: &root).identity
        return encounter(
            Identity(scheme: SchemeCode(.covidTracer), payload: [UInt8](copying: identity.bytes.span)),
            from: morning.point(afterMinutes: minutes), isDated: isDated, sampleCount: sampleCount)
    }

    private func encounter(
        _ identity: Identity?, from start: TimelinePoint, isDated: Bool = true, sampleCount: Int = 75
    ) -> Encounter {
        SampleWorld.encounter(
            with: identity, on: isDated ? .wallClock(error: 40) : .sinceStart(boot: 1),
            start...start + .minutes(10),
            samples: (0..<UInt64(sampleCount)).map { index in
                Sample(
                    start: start + .seconds(8 * index), end: start + .seconds(8 * (index + 1)),
                    readingCount: 20, minimumDBm: -80, maximumDBm: -60, meanDBm: -70)
            })
    }

    private func search(_ encounters: [Encounter], daysLater: UInt64 = 1) throws -> IdentitySearch {
        try IdentitySearch(
            encounters, for: [try key()], of: CovidTracer.self,
            now: morning + .days(daysLater))
    }

    @Test func `A CovidTracer identity matches in its hour and in the hours before and after`() throws {
        for (minutes, expected) in [
            (-71, 0), (-70, 0), (-65, 37), (-60, 75), (0, 75), (110, 75), (115, 38), (120, 0),
        ] {
            let search = try search([try encounter(afterMinutes: Int64(minutes))])
            #expect(search.matches.map(\.samples.count) == (expected == 0 ? [] : [expected]), "\(minutes)")
            #expect(search.counts.searched == 1)
        }
    }

    @Test func `A match has its key, and the validity of the identity`() throws {
        let match = try #require(try search([try encounter(afterMinutes: 5)]).matches.first)
        #expect((match.key, match.kind) == ("key", "positive"))
        #expect(match.validity.startSeconds == day + 9 * 3_600)
        #expect(match.validity.endSeconds == day + 10 * 3_600)
    }

    @Test func `An encounter whose samples are lost counts by its beginning`() throws {
        #expect(try search([try encounter(afterMinutes: 119, sampleCount: 0)]).matches.count == 1)
        #expect(try search([try encounter(afterMinutes: 120, sampleCount: 0)]).matches.isEmpty)
    }

    @Test func `Encounters without a time or identity, or too old, are counted and do not match`() throws {
        let undated = try search([try encounter(afterMinutes: 0, isDated: false)])
        #expect((undated.matches.count, undated.counts.undated, undated.counts.searched) == (0, 1, 0))
        let lost = Identity(lost: IdentityHash(value: 1), scheme: SchemeCode(.covidTracer))
        #expect(try search([encounter(lost, from: TimelinePoint(morning))]).counts.lost == 1)
        let recorded = try encounter(afterMinutes: 0)
        #expect(try search([recorded], daysLater: 15).matches.map(\.samples.count) == [75])
        let expired = try search([recorded], daysLater: 16)
        #expect((expired.matches.count, expired.counts.expired) == (0, 1))
    }

    @Test func `A CovidTracer contact counts until its date is more than 15 days ago, as in its app`() throws
    {
        let recorded = try encounter(afterMinutes: 0)
        let midnight = WallClockTime(days: morning.days + 16)
        let last = try IdentitySearch(
            [recorded], for: [try key()], of: CovidTracer.self, now: midnight - .milliseconds(1))
        #expect(last.matches.count == 1)
        let late = try IdentitySearch([recorded], for: [try key()], of: CovidTracer.self, now: midnight)
        #expect((late.matches.count, late.counts.expired) == (0, 1))
    }

    @Test func `Identities of other schemes and people, and venues, are ignored`() throws {
        let others = [
            encounter(nil, from: TimelinePoint(morning)),
            encounter(SampleWorld.venue(), from: TimelinePoint(morning)),
            encounter(
                Identity(scheme: SchemeCode(.covidTracer), payload: [UInt8](1...20)),
                from: TimelinePoint(morning)),
        ]
        let search = try search(others)
        #expect((search.matches.count, search.counts.searched, search.counts.lost) == (0, 1, 0))
        let herald = try IdentitySearch(
            others, for: [], of: Herald.self, now: morning + .days(1))
        #expect((herald.counts.searched, herald.counts.lost) == (0, 0))
    }
}

extension WallClockTime {
    fileprivate func point(afterMinutes minutes: Int64) -> TimelinePoint {
        TimelinePoint(milliseconds: Int64(milliseconds) + minutes * 60_000)
    }
}
