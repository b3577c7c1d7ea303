import EncounterLog
import FixedMemory
import HCI
import Peers
import Replay
import TestSupport
import Testing

/// Timestamps of a capture that go back or are wild.
@Suite struct ReplayTimeTests {
    @Test func `time that goes back continues from the latest time`() throws {
        var capture = TestCapture()
        capture.adverts(50)
        capture.milliseconds -= 900_000
        capture.adverts(50)
        let result = try capture.replay()
        #expect(result.summary.stepsBack == 1)
        #expect(result.opened.count == 1)
        #expect(result.samples.map { Int($0.readings) } == [81, 19])
        #expect(result.summary.lastMilliseconds == 1_009_800)
    }

    @Test(
        "One wild timestamp does not affect the records after it",
        arguments: [25 * 3_600_000, 60 * 365 * 86_400_000, 18_400_000_000_000] as [UInt64])
    func aWildTime(aheadMilliseconds: UInt64) throws {
        var capture = TestCapture()
        capture.adverts(50)
        capture.milliseconds += aheadMilliseconds
        capture.event("0e 01 0000")
        capture.milliseconds -= aheadMilliseconds
        capture.adverts(50)
        let result = try capture.replay()
        #expect(result.summary.wildTimes == 1)
        #expect(result.summary.stepsBack == 0)
        #expect(result.opened.count == 1)
        #expect(result.samples.map { Int($0.readings) } == [80, 20])
        #expect(result.summary.lastMilliseconds == 1_009_900)
    }

    @Test func `A record dated 1970 does not affect the records after it`() throws {
        var capture = TestCapture()
        let began: UInt64 = 1_800_000_000_000
        capture.milliseconds = began
        capture.adverts(50)
        capture.milliseconds = 0
        capture.event("0e 01 0000")
        capture.milliseconds = began + 5_000
        capture.adverts(50)
        let result = try capture.replay()
        #expect(result.summary.wildTimes == 1)
        #expect(result.summary.stepsBack == 0)
        #expect(result.opened.map(\.monotonicMilliseconds) == [began])
        #expect(result.summary.lastMilliseconds == began + 9_900)
    }

    @Test func `A clock set back by days is accepted once the next record agrees`() throws {
        var capture = TestCapture()
        let began: UInt64 = 1_800_000_000_000
        capture.milliseconds = began
        capture.adverts(50)
        capture.milliseconds -= 30 * 86_400_000
        capture.adverts(50)
        let result = try capture.replay()
        #expect(result.summary.wildTimes == 0)
        #expect(result.summary.stepsBack == 1)
        #expect(result.opened.map(\.monotonicMilliseconds) == [began])
        // The first two records after the step get the time of the last record before it.
        #expect(result.summary.lastMilliseconds == began + 9_700)
    }

    @Test func `Timestamps from 2100 on are rejected, also at the start`() throws {
        var capture = TestCapture()
        let began = capture.milliseconds
        for milliseconds in [4_102_444_800_000, 4_102_444_800_001] as [UInt64] {
            capture.milliseconds = milliseconds
            capture.adverts(1)
        }
        capture.milliseconds = began
        capture.adverts(10)
        let result = try capture.replay()
        #expect(result.summary.wildTimes == 2)
        #expect(result.summary.stepsBack == 0)
        #expect(result.opened.map(\.monotonicMilliseconds) == [began])
        #expect(result.samples.map { Int($0.readings) } == [10])
        #expect(result.summary.firstMilliseconds == began)
        #expect(result.summary.lastMilliseconds == began + 900)
    }

    @Test func `A first timestamp before 2100 is accepted, and later records are moved behind it`() throws {
        var capture = TestCapture()
        let began = capture.milliseconds
        let wild: UInt64 = 4_000_000_000_000
        capture.milliseconds = wild
        capture.event("0e 01 0000")
        capture.milliseconds = began
        capture.adverts(11)
        let result = try capture.replay()
        #expect(result.summary.wildTimes == 0)
        #expect(result.summary.stepsBack == 1)
        #expect(result.opened.map(\.monotonicMilliseconds) == [wild])
        #expect(result.summary.lastMilliseconds == wild + 900)
    }

    @Test func `A pause of two days is accepted once the next record agrees`() throws {
        var capture = TestCapture()
        capture.adverts(50)
        let pause: UInt64 = 2 * 86_400_000
        let resumed: UInt64 = 1_005_100 + pause
        capture.milliseconds += pause
        capture.adverts(50)
        let result = try capture.replay()
        #expect(result.summary.wildTimes == 0)
        #expect(result.opened.map(\.monotonicMilliseconds) == [1_000_000, resumed])
        // The first record after the pause gets the time of the last record before it.
        #expect(result.samples.map { Int($0.readings) } == [51, 49])
        #expect(result.summary.lastMilliseconds == resumed + 4_800)
    }

    @Test func `Wild timestamps that do not agree with each other are rejected one by one`() throws {
        var capture = TestCapture()
        capture.adverts(10)
        for days in [10, 5, 7, 5] as [UInt64] {
            capture.milliseconds += days * 86_400_000
            capture.event("0e 01 0000")
            capture.milliseconds -= days * 86_400_000
        }
        capture.adverts(10)
        let result = try capture.replay()
        #expect(result.summary.wildTimes == 4)
        #expect(result.summary.lastMilliseconds == 1_001_900)
    }
}
