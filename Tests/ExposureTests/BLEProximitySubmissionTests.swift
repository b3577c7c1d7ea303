import ArchiveTestSupport
import Authority
import EncounterLog
import FixedMemory
import Schemes
import Testing
import TextFormats

@testable import Archive
@testable import Exposure

@Suite struct BLEProximitySubmissionTests {
    private static let minute = Interval.minutes(1)
    private static let day = WallClockTime(days: SampleWorld.morning.days)
    private let day = Self.day..<Self.day + .days(1)

    private func own(_ minute: UInt64, _ id: UInt8?, _ scheme: SchemeCode = SchemeCode(.bleProximity))
        -> OwnIdentityRecord
    {
        let payload = [id ?? 0] + [UInt8](repeating: 0, count: 7)
        return OwnIdentityRecord(
            instant: .start + minute * Self.minute,
            address: RecordedAddress(bytes: [1, 2, 3, 4, 5, 6], type: 1),
            identity: id == nil ? nil : Identity(scheme: scheme, payload: payload))
    }

    /// A boot from nine in the morning, or later by `start` minutes; it lasts the given number of minutes.
    private func boot(
        _ identifier: UInt64, _ identities: [OwnIdentityRecord], minutes: UInt64, atMinute start: UInt64 = 0,
        isAnchored: Bool = true
    ) -> BootHistory {
        BootHistory(
            identifier: identifier,
            anchors: isAnchored
                ? [
                    Anchor(
                        instant: 0,
                        wallClock: SampleWorld.morning + start * Self.minute,
                        error: 40, source: .host)
                ] : [],
            coverage: [
                Coverage(
                    start: 0, end: .start + minutes * Self.minute, reportCount: 1,
                    malformedCount: 0, droppedCount: 0)
            ], ownIdentities: identities)
    }

    private func submission(_ boots: [BootHistory], _ interval: Range<WallClockTime>? = nil)
        -> BLEProximitySubmission
    {
        BLEProximitySubmission(BoardHistory(board: SampleWorld.board, boots: boots), in: interval ?? day)
    }

    private func times(_ submission: BLEProximitySubmission) -> [[String]] {
        submission.positives.entries.map {
            [UTCTime.text($0.validity.startSeconds), UTCTime.text($0.validity.endSeconds)]
                .map { String($0.dropFirst(11)) }
        }
    }

    @Test func `An identity lasts until the next, and the last one until the end of the boot's records`() {
        let submission = submission([
            boot(1, [own(0, 1), own(30, 2), own(40, nil), own(45, 9, SchemeCode(.herald))], minutes: 70)
        ])
        #expect(submission.positives.entries.map(\.id.value) == [1, 2])
        #expect(times(submission) == [["09:00:00Z", "09:30:01Z"], ["09:30:00Z", "10:10:01Z"]])
    }

    @Test func `An identity logged again under another address is one entry`() {
        let submission = submission([boot(1, [own(0, 1), own(6, 1), own(12, 2)], minutes: 20)])
        #expect(times(submission) == [["09:00:00Z", "09:12:01Z"], ["09:12:00Z", "09:20:01Z"]])
    }

    @Test func `An identity that ends after the requested days is not submitted`() {
        let boots = [boot(1, [own(0, 1), own(30, 2)], minutes: 70)]
        let noon = Self.day + .minutes(9 * 60 + 40)
        #expect(submission(boots, Self.day..<noon).positives.entries.map(\.id.value) == [1])
        #expect(submission(boots, noon..<noon + .days(1)).positives.entries.map(\.id.value) == [2])
        #expect(submission(boots, Self.day - .days(1)..<Self.day).positives.entries.isEmpty)
    }

    @Test func `Identities of a boot without a clock are counted and not submitted`() {
        let submission = submission([
            boot(1, [own(0, 1)], minutes: 10),
            boot(2, [own(0, 2), own(5, 3)], minutes: 10, isAnchored: false),
            boot(3, [own(0, 4)], minutes: 10, atMinute: 60),
        ])
        #expect(submission.positives.entries.map(\.id.value) == [1, 4])
        #expect(submission.undatedCount == 2)
    }
}
