import ArchiveTestSupport
import EncounterLog
import FixedMemory
import Schemes
import TestSupport
import Testing

@testable import Archive
@testable import Exposure

@Suite struct ShownIdentitiesTests {
    /// The day of ``SampleWorld/morning``, and the root that the board made for it and the next.
    private let day = UInt32(SampleWorld.morning.days)
    private let root = Bytes<32>([UInt8](repeating: 7, count: 32)) ?? Bytes()
    private let other = Bytes<32>([UInt8](repeating: 8, count: 32)) ?? Bytes()

    /// A board that showed these identities, one every six minutes from nine o'clock on.
    private func history(_ identities: [Identity]) -> BoardHistory {
        var boot = BootHistory(
            identifier: 1,
            parameters: BootParameters(
                start: 0, softwareVersion: "0.1.0", sampleLength: 8_000, encounterTimeout: 30_000,
                lossWindow: 30_000, role: 1),
            anchors: [
                Anchor(instant: 0, wallClock: SampleWorld.morning, error: 5, source: .systemClock)
            ])
        boot.ownIdentities = identities.enumerated().map { index, identity in
            OwnIdentityRecord(
                instant: Instant(milliseconds: UInt64(index) * 360_000),
                address: RecordedAddress(bytes: [UInt8(index), 0, 0, 0, 0, 0x40], type: 1), identity: identity
            )
        }
        return BoardHistory(board: SampleWorld.board, boots: [boot])
    }

    private func matchingKey(_ root: Bytes<32>) throws -> HeraldMatchingKey {
        try HeraldKeySchedule(root: root, firstDay: day).matchingKey(ofDay: day)
    }

    private func herald(_ root: Bytes<32>, period: Int) throws -> Identity {
        let identifier = HeraldKeySchedule.identifier(ofPeriod: period, of: try matchingKey(root).key)
        let payload = HeraldSimple(country: 826, state: 4, identifier: identifier).encoded()
        return Identity(scheme: SchemeCode(.herald), payload: [UInt8](copying: payload.span))
    }

    @Test func `keys of all that a board showed leave nothing unexplained`() throws {
        let shown = ShownIdentities(
            of: history(try [90, 91, 92].map { try herald(root, period: $0) }), onDays: day...day,
            explainedBy: [try matchingKey(root)])
        #expect(shown.days.map(\.shownCount) == [3])
        #expect(shown.unexplained == nil)
    }

    @Test func `identities of a secret that the board was given later are not explained by its own root`()
        throws
    {
        let identities = [
            try herald(root, period: 90), try herald(other, period: 91), try herald(other, period: 92),
        ]
        let shown = ShownIdentities(
            of: history(identities), onDays: day...day, explainedBy: [try matchingKey(root)])
        #expect(shown.unexplained?.daysSince1970 == day)
        #expect(shown.unexplained?.explainedCount == 1 && shown.unexplained?.shownCount == 3)
        let both = ShownIdentities(
            of: history(identities), onDays: day...day,
            explainedBy: [try matchingKey(root), try matchingKey(other)])
        #expect(both.unexplained == nil)
    }

    @Test func `other days and fixed payloads need no key`() throws {
        let venue = Identity(
            scheme: SchemeCode(.herald), payload: [0x30, 0x3a, 0x03, 4, 0, 0x40, 0xe2, 0x01, 0x00])
        let shown = ShownIdentities(of: history([venue]), onDays: day...day, explainedBy: [])
        #expect(shown.unexplained == nil)
        let later = ShownIdentities(
            of: history([try herald(other, period: 90)]), onDays: day + 1...day + 1, explainedBy: [])
        #expect(later.days.isEmpty)
    }

    @Test func `CovidTracer's hourly identifiers are explained by the root of their day`() throws {
        let date = CalendarDate(daysSince1970: day)
        let key = try CovidTracerRootKey(root).dailyKey(of: date)
        let identifier = try #require(try key.identifier(ofHour: 9))
        let identity = Identity(scheme: SchemeCode(.covidTracer), payload: identifier.bytes.array)
        let history = history([identity])
        #expect(
            ShownIdentities(of: history, onDays: day...day, explainedBy: OwnRoots(root: root)).unexplained
                == nil)
        #expect(
            ShownIdentities(of: history, onDays: day...day, explainedBy: OwnRoots(root: other)).unexplained
                != nil)
    }

    @Test func `the payload nearest to a time has the country and state of that time`() throws {
        let abroad = HeraldSimple(
            country: 276, state: 2,
            identifier: HeraldKeySchedule.identifier(ofPeriod: 92, of: try matchingKey(root).key))
        let history = history([
            try herald(root, period: 90), try herald(root, period: 91),
            Identity(scheme: SchemeCode(.herald), payload: [UInt8](copying: abroad.encoded().span)),
        ])
        #expect(history.simplePayload(nearest: SampleWorld.morning + .minutes(8))?.country == 826)
        #expect(history.simplePayload(nearest: SampleWorld.morning + .minutes(10))?.country == 276)
    }

    @Test func `a board that showed no Simple payload has none nearest to a time`() {
        #expect(history([]).simplePayload(nearest: SampleWorld.morning) == nil)
    }
}
