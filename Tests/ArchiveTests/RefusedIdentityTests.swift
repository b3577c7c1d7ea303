import EncounterLog
import FixedMemory
import Foundation
import Testing

@testable import Archive

@Suite struct RefusedIdentityTests {
    private let log: TestLog
    private let archive: Archive

    init() throws {
        log = try TestLog()
        archive = try Archive(inMemoryNamed: "refusals", admitting: .unverified)
        try archive.register(log.board, blockByteCount: TestLog.blockByteCount)
        for segment in log.segments {
            try archive.append(segment.bytes, at: 0, segment: segment.ordinal, of: log.board)
        }
        try archive.decodePages(of: log.board)
    }

    @Test func `a refused identity is stored with its reason`() throws {
        let refused = try archive.history(of: log.board).boots[0].refusedIdentities
        #expect(refused.map(\.scheme.id) == [.sonar, .covidTracer, .sonar])
        #expect(refused.map(\.reason) == [.notOfNow, .wrongLength, .notOfNow])
        #expect(refused.map(\.instant) == [8_000, 8_500, 9_000])
        #expect(refused.allSatisfy { $0.track == 1 && $0.bytes == [7, 7] && $0.marks == .none })
    }

    @Test func `refusals are counted by scheme and reason, the most frequent first`() throws {
        let refusals = try archive.refusals()
        #expect(refusals.map(\.scheme.id) == [.sonar, .covidTracer])
        #expect(refusals.map(\.reason) == [.notOfNow, .wrongLength])
        // Two boots, an hour apart.
        #expect(refusals.map(\.count) == [4, 2])
        #expect(refusals[0].first == pastNoon(3_608_000))
        #expect(refusals[0].last == pastNoon(7_209_000))
        #expect(refusals.allSatisfy { $0.isOnWallClock })
    }

    @Test func `a filter selects refusals by board, scheme and time`() throws {
        var filter = EncounterFilter()
        filter.scheme = SchemeCode(.covidTracer)
        #expect(try archive.refusals(matching: filter).map(\.count) == [2])
        filter.scheme = nil
        filter.since = WallClockTime(milliseconds: noon.milliseconds + 3_608_500)
        filter.until = WallClockTime(milliseconds: noon.milliseconds + 7_209_000)
        #expect(try archive.refusals(matching: filter).map(\.count) == [2, 2])
        filter.boards = []
        #expect(try archive.refusals(matching: filter).isEmpty)
    }

    @Test func `refusals of each boot without a clock are counted apart`() {
        let refused = [5, 9].map { time in
            RefusedIdentity(
                instant: time, scheme: SchemeCode(.bleProximity), reason: .nobody, bytes: [])
        }
        let boots = [7, 8].map { identifier in
            BootHistory(identifier: identifier, refusedIdentities: refused)
        }
        let refusals = RefusalSummary.all(of: BoardHistory(board: .test, boots: boots), matching: .init())
        #expect(refusals.map(\.count) == [2, 2])
        #expect(Set(refusals.map(\.timeline)) == [.sinceStart(boot: 7), .sinceStart(boot: 8)])
        #expect(refusals.allSatisfy { $0.first == 5 && $0.last == 9 })
    }

    @Test func `encounters have the position of their board`() throws {
        let encounters = try archive.encounters()
        #expect(!encounters.isEmpty)
        #expect(encounters.allSatisfy { $0.position?.text == "51.507351, -0.127758" })
    }
}
