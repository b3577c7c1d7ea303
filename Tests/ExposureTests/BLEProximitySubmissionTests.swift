import ArchiveTestSupport
import Authority
import EncounterLog
import Schemes
import Testing
import TextFormats

@testable import Archive
@testable import Exposure

@Suite struct BLEProximitySubmissionTests {
    private static let minute: Int64 = 60_000
    private static let day = SampleWorld.morning / 86_400_000 * 86_400_000
    private let day = Self.day..<Self.day + 86_400_000

    private func own(_ minute: Int64, _ id: UInt8?, _ scheme: SchemeCode = SchemeCode(.bleProximity))
        -> OwnIdentityRecord
    {
        let payload = [id ?? 0] + [UInt8](repeating: 0, count: 7)
        return OwnIdentityRecord(
            monotonicMilliseconds: minute * Self.minute,
            address: RecordedAddress(bytes: [1, 2, 3, 4, 5, 6], type: 1),
            identity: id == nil ? nil : Identity(scheme: scheme, payload: payload))
    }

    /// A boot from nine in the morning, or later by `start` minutes; it lasts the given number of minutes.
    private func boot(
        _ identifier: UInt64, _ identities: [OwnIdentityRecord], minutes: Int64, atMinute start: Int64 = 0,
        isAnchored: Bool = true
    ) -> BootHistory {
        BootHistory(
            identifier: identifier,
            anchors: isAnchored
                ? [
                    Anchor(
                        monotonicMilliseconds: 0,
                        wallClockMilliseconds: SampleWorld.morning + start * Self.minute,
                        errorMilliseconds: 40, source: .host)
                ] : [],
            coverage: [
                Coverage(
                    startMilliseconds: 0, endMilliseconds: minutes * Self.minute, reportCount: 1,
                    malformedCount: 0, droppedCount: 0)
            ], ownIdentities: identities)
    }

    private func submission(_ boots: [BootHistory], _ interval: Range<Int64>? = nil) -> BLEProximitySubmission
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
        let noon = Self.day + 9 * 60 * Self.minute + 40 * Self.minute
        #expect(submission(boots, Self.day..<noon).positives.entries.map(\.id.value) == [1])
        #expect(submission(boots, noon..<noon + 86_400_000).positives.entries.map(\.id.value) == [2])
        #expect(submission(boots, Self.day - 86_400_000..<Self.day).positives.entries.isEmpty)
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
