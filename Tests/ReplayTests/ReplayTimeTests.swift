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
        capture.instant -= 900_000
        capture.adverts(50)
        let result = try capture.replay()
        #expect(result.summary.stepsBack == 1)
        #expect(result.opened.count == 1)
        #expect(result.samples.map { Int($0.readings) } == [81, 19])
        #expect(result.summary.last == 1_009_800)
    }

    /// `btmon -w` writes packets of two channels slightly out of order.
    @Test func `packets out of order do not make time run fast`() throws {
        var capture = TestCapture()
        for _ in 0..<600 {
            capture.adverts(9)
            capture.instant -= 150
            capture.adverts(1)
            capture.instant += 150
        }
        let result = try capture.replay()
        #expect(result.summary.stepsBack == 0)
        #expect(result.summary.last == capture.instant.earlier(by: 200))
    }

    @Test(arguments: [.hours(25), .days(60 * 365), 18_400_000_000_000] as [Interval])
    func `one wild timestamp does not affect the records after it`(ahead: Interval) throws {
        var capture = TestCapture()
        capture.adverts(50)
        capture.instant += ahead
        capture.event("0e 01 0000")
        capture.instant -= ahead
        capture.adverts(50)
        let result = try capture.replay()
        #expect(result.summary.wildTimes == 1)
        #expect(result.summary.stepsBack == 0)
        #expect(result.opened.count == 1)
        #expect(result.samples.map { Int($0.readings) } == [80, 20])
        #expect(result.summary.last == 1_009_900)
    }

    @Test func `A record dated 1970 does not affect the records after it`() throws {
        var capture = TestCapture()
        let began: Instant = 1_800_000_000_000
        capture.instant = began
        capture.adverts(50)
        capture.instant = 0
        capture.event("0e 01 0000")
        capture.instant = began + 5_000
        capture.adverts(50)
        let result = try capture.replay()
        #expect(result.summary.wildTimes == 1)
        #expect(result.summary.stepsBack == 0)
        #expect(result.opened.map(\.instant) == [began])
        #expect(result.summary.last == began + 9_900)
    }

    @Test func `A clock set back by days is accepted once the next record agrees`() throws {
        var capture = TestCapture()
        let began: Instant = 1_800_000_000_000
        capture.instant = began
        capture.adverts(50)
        capture.instant -= .days(30)
        capture.adverts(50)
        let result = try capture.replay()
        #expect(result.summary.wildTimes == 0)
        #expect(result.summary.stepsBack == 1)
        #expect(result.opened.map(\.instant) == [began])
        // The first two records after the step get the time of the last record before it.
        #expect(result.summary.last == began + 9_700)
    }

    @Test func `Timestamps from 2100 on are rejected, also at the start`() throws {
        var capture = TestCapture()
        let began = capture.instant
        for instant in [4_102_444_800_000, 4_102_444_800_001] as [Instant] {
            capture.instant = instant
            capture.adverts(1)
        }
        capture.instant = began
        capture.adverts(10)
        let result = try capture.replay()
        #expect(result.summary.wildTimes == 2)
        #expect(result.summary.stepsBack == 0)
        #expect(result.opened.map(\.instant) == [began])
        #expect(result.samples.map { Int($0.readings) } == [10])
        #expect(result.summary.first == began)
        #expect(result.summary.last == began + 900)
    }

    @Test func `A first timestamp before 2100 is accepted, and later records are moved behind it`() throws {
        var capture = TestCapture()
        let began = capture.instant
        let wild: Instant = 4_000_000_000_000
        capture.instant = wild
        capture.event("0e 01 0000")
        capture.instant = began
        capture.adverts(11)
        let result = try capture.replay()
        #expect(result.summary.wildTimes == 0)
        #expect(result.summary.stepsBack == 1)
        #expect(result.opened.map(\.instant) == [wild])
        #expect(result.summary.last == wild + 900)
    }

    @Test func `A pause of two days is accepted once the next record agrees`() throws {
        var capture = TestCapture()
        capture.adverts(50)
        let pause = Interval.days(2)
        let resumed: Instant = 1_005_100 + pause
        capture.instant += pause
        capture.adverts(50)
        let result = try capture.replay()
        #expect(result.summary.wildTimes == 0)
        #expect(result.opened.map(\.instant) == [1_000_000, resumed])
        // The first record after the pause gets the time of the last record before it.
        #expect(result.samples.map { Int($0.readings) } == [51, 49])
        #expect(result.summary.last == resumed + 4_800)
    }

    @Test func `Wild timestamps that do not agree with each other are rejected one by one`() throws {
        var capture = TestCapture()
        capture.adverts(10)
        for days in [10, 5, 7, 5] as [UInt64] {
            capture.instant += days * 86_400_000
            capture.event("0e 01 0000")
            capture.instant -= days * 86_400_000
        }
        capture.adverts(10)
        let result = try capture.replay()
        #expect(result.summary.wildTimes == 4)
        #expect(result.summary.last == 1_001_900)
    }
}
