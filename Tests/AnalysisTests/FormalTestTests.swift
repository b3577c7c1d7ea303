import Testing

@testable import Analysis

/// Herald's efficacy figures, on logs small enough to count by hand.
@Suite struct FormalTestTests {
    private func result(
        from start: String = "10:00:00", to end: String = "10:02:00", _ participants: FormalParticipant...
    ) throws -> FormalResult {
        let test = try #require(FormalTest(startSeconds: secondOfTest(start), endSeconds: secondOfTest(end)))
        return test.result(of: participants)
    }

    private func windows(_ result: FormalResult) -> [Int] { result.pairs.map(\.windowCount) }

    @Test func `a window counts once, however often the other device is heard in it`() throws {
        let result = try result(
            participant(
                "A", "aaaaaa",
                ["10:00:00 read X bbbbbb", "10:00:01 measure X", "10:00:02 measure X", "10:00:59 measure X"]),
            participant("B", "bbbbbb", []))
        #expect(windows(result) == [2, 0])
        #expect(result.maximumWindowCountPerPair == 4)
        #expect(result.maximumWindowCount == 8)
        #expect(result.continuityPercent == 25)
        #expect(result.missedWindowPercent == 75)
        #expect(result.detectedPairCount == 1)
        #expect(result.detectionPercent == 50)
    }

    @Test func `a device without a log is only observed`() throws {
        var silent = try participant("B", "bbbbbb", [])
        silent.observes = false
        let result = try result(
            participant("A", "aaaaaa", ["10:00:00 read X bbbbbb", "10:00:01 measure X"]), silent)
        #expect(windows(result) == [1])
        #expect(result.maximumPairCount == 1)
        #expect(result.detectionPercent == 100)
        #expect(result.continuityPercent == 25)
    }

    @Test func `a summary has the mean and the worst of its tests`() throws {
        let met = try result(
            participant("A", "aaaaaa", ["10:00:00 read X bbbbbb", "10:00:01 measure X"]),
            participant("B", "bbbbbb", ["10:00:00 read X aaaaaa", "10:00:01 measure X"]))
        let missed = try result(participant("A", "aaaaaa", []), participant("B", "bbbbbb", []))
        var summary = FormalSummary()
        #expect(summary.detectionPercent == FormalSummary.Spread(mean: 0, worst: 0))
        for result in [met, missed] { summary.append(FormalSummary.Figures(result)) }
        #expect(summary.detectionPercent == FormalSummary.Spread(mean: 50, worst: 0))
        #expect(summary.continuityPercent == FormalSummary.Spread(mean: 12.5, worst: 0))
    }

    @Test func `the observer's first contact begins its first window`() throws {
        // 10:00:29 and 10:00:31 would be two windows if windows began at 10:00:00.
        let result = try result(
            participant(
                "A", "aaaaaa", ["10:00:00 read X bbbbbb", "10:00:29 measure X", "10:00:31 measure X"]),
            participant("B", "bbbbbb", []))
        #expect(windows(result) == [1, 0])
    }

    @Test func `an observer has the same windows for all devices that it hears`() throws {
        let result = try result(
            participant(
                "A", "aaaaaa",
                [
                    "10:00:00 read X bbbbbb", "10:00:00 read Y cccccc", "10:00:10 measure Y",
                    "10:00:39 measure X", "10:00:41 measure X",
                ]),
            participant("B", "bbbbbb", []), participant("C", "cccccc", []))
        #expect(windows(result) == [2, 1, 0, 0, 0, 0])
    }

    @Test func `a measurement counts for a payload that is read later`() throws {
        let result = try result(
            participant("A", "aaaaaa", ["10:00:01 measure X", "10:01:59 read X bbbbbb"]),
            participant("B", "bbbbbb", []))
        #expect(windows(result) == [1, 0])
    }

    @Test func `several addresses of one device count as one device`() throws {
        let result = try result(
            participant(
                "A", "aaaaaa",
                [
                    "10:00:00 read X bbbbbb", "10:00:01 measure X", "10:00:40 read Y bbbbbb",
                    "10:00:41 measure Y",
                ]),
            participant("B", "bbbbbb", []))
        #expect(windows(result) == [2, 0])
    }

    @Test func `only measurements and shares count as contacts`() throws {
        let result = try result(
            participant("A", "aaaaaa", ["10:00:00 detect X", "10:00:00 read X bbbbbb"]),
            participant("B", "bbbbbb", []))
        #expect(windows(result) == [0, 0])
        #expect(result.detectedPairCount == 0)
    }

    @Test func `a share counts if the payload was read at least once`() throws {
        let result = try result(
            participant(
                "A", "aaaaaa",
                [
                    "10:00:00 read X bbbbbb", "10:00:01 share Z bbbbbb", "10:00:01 share Z cccccc",
                ]),
            participant("B", "bbbbbb", []), participant("C", "cccccc", []))
        #expect(windows(result) == [1, 0, 0, 0, 0, 0])
    }

    @Test func `unknown payloads and the observer's own do not count`() throws {
        let result = try result(
            participant(
                "A", "aaaaaa",
                [
                    "10:00:00 read X zzzzzz", "10:00:00 read Y aaaaaa", "10:00:01 measure X",
                    "10:00:01 measure Y", "10:00:01 measure Z",
                ]),
            participant("B", "bbbbbb", []))
        #expect(windows(result) == [0, 0])
    }

    @Test func `a device without a name is not a participant`() throws {
        let result = try result(
            participant("A", "aaaaaa", ["10:00:00 read X", "10:00:01 measure X"]), participant("B", "", []))
        #expect(result.windowCount == 0)
    }

    @Test func `a contact at either end of the test counts`() throws {
        let result = try result(
            participant(
                "A", "aaaaaa",
                [
                    "09:59:59 measure X", "10:00:00 measure X", "10:02:00 measure X", "10:02:01 measure X",
                    "10:00:00 read X bbbbbb",
                ]),
            participant("B", "bbbbbb", []))
        #expect(windows(result) == [2, 0])
    }

    @Test func `longevity compares the last hour with the first`() throws {
        let steady = (0..<480).map { number in
            let minutes = number / 2
            return
                "\(10 + minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60):\(number % 2 == 0 ? "00" : "30") measure X"
        }
        // Four hours; in the last one every second window is missing.
        let fading = steady.enumerated().filter { $0.offset < 360 || $0.offset % 2 == 0 }.map(\.element)
        let result = try result(
            from: "10:00:00", to: "14:00:00",
            participant("A", "aaaaaa", ["10:00:00 read X bbbbbb"] + fading), participant("B", "bbbbbb", []))
        // 11:00:00 and 13:00:00 each belong to two adjacent hours.
        #expect(result.firstHourWindowCount == 121)
        #expect(result.lastHourWindowCount == 60)
        #expect(result.maximumHourWindowCount == 240)
        #expect(abs(result.longevityErrorPercent - 100 * 61.0 / 240) < 1e-9)
        #expect(result.firstHourExtraWindowCount == 1)
        #expect(result.lastHourExtraWindowCount == 0)
        #expect(result.fittingLongevityPercent == 75)
    }

    @Test func `a contact exactly an hour after the first lowers longevity, not that of fitting windows`()
        throws
    {
        let result = try result(
            from: "10:00:00", to: "14:00:00",
            participant(
                "A", "aaaaaa",
                ["10:00:00 read X bbbbbb", "10:00:00 measure X", "11:00:00 measure X", "13:30:00 measure X"]),
            participant("B", "bbbbbb", []))
        #expect(result.firstHourWindowCount == 2)
        #expect(result.lastHourWindowCount == 1)
        #expect(result.longevityPercent < 100)
        #expect(result.fittingLongevityPercent == 100)
    }

    @Test func `the test begins when the last device joins and ends when the first leaves`() throws {
        let first = try participant("A", "aaaaaa", ["10:00:00 measure X", "10:30:00 measure X"])
        let second = try participant("B", "bbbbbb", ["10:05:00 measure X", "10:40:00 measure X"])
        let test = try #require(FormalTest(sharedBy: [first.observations, second.observations]))
        #expect(test.startSeconds == secondOfTest("10:05:00"))
        #expect(test.endSeconds == secondOfTest("10:30:00"))
        #expect(FormalTest(sharedBy: [first.observations, FormalObservations()]) == nil)
        #expect(FormalTest(startSeconds: 5, endSeconds: 5) == nil)
    }

    @Test func `a device's name comes from its detection log`() {
        let log = Array("\"SM-A105FN, new\",Android,28,AayC8Axx,EVoqIA\nmore".utf8)
        let device = FormalDevice(name: "A10", detectionLog: log)
        #expect(
            device
                == FormalDevice(
                    name: "A10", model: "SM-A105FN, new", system: "Android", systemVersion: "28",
                    shortName: "AayC8A"))
        #expect(FormalDevice(name: "A10", detectionLog: [0xef, 0xbb, 0xbf] + log) == device)
        #expect(FormalDevice(name: "A10", detectionLog: Array("a,b,c".utf8)) == nil)
        #expect(FormalDevice(name: "A10", detectionLog: []) == nil)
    }
}
