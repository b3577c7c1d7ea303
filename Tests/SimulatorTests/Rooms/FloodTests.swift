import HCI
import Simulator
import Testing

/// The losses that a flood of reports must not cause, and their detection.
@Suite struct FloodTests {
    private static let one = DeviceAddress.staticRandom(seed: 1)
    private static let other = DeviceAddress.staticRandom(seed: 2)

    /// The outcome of a flood without losses, with two stayers, one of which was silent for a while.
    private func outcome() -> FloodOutcome {
        var outcome = FloodOutcome()
        outcome.reportsBySecond = [12_000, 10_000, 11_000]
        outcome.randomAddressCount = 100_000
        (outcome.commandCount, outcome.answerCount) = (250, 250)
        (outcome.visitorCount, outcome.readVisitorCount) = (40, 40)
        outcome.end = 120_000
        outcome.stays = [
            Self.one: [
                .init(opened: 1_000, lastHeard: 40_000, readingCount: 9, isClosed: true),
                .init(opened: 75_000, lastHeard: 119_000, readingCount: 12),
            ],
            Self.other: [.init(opened: 2_000, lastHeard: 118_000, readingCount: 30)],
        ]
        return outcome
    }

    @Test func `a flood without losses passes`() {
        #expect(outcome().complaint == nil)
        #expect(outcome().complaint(beside: outcome()) == nil)
    }

    @Test func `every second must have the flood's rate, not only the mean`() {
        var outcome = outcome()
        outcome.reportsBySecond = [30_000, 9_999, 30_000]
        #expect(outcome.complaint == "that was no flood: in some second 9999 reports")
        outcome.reportsBySecond = []
        #expect(outcome.complaint != nil)
    }

    @Test(
        arguments: [
            ("a command without an answer", \.answerCount, 249),
            ("too few commands", \.commandCount, 199),
            ("an answer to no command", \.strayAnswerCount, 1),
            ("a phone that was not read", \.readVisitorCount, 39),
        ] as [(String, WritableKeyPath<FloodOutcome, Int> & Sendable, Int)])
    func `a loss in the small numbers is found`(
        what: String, number: WritableKeyPath<FloodOutcome, Int> & Sendable, value: Int
    ) {
        var outcome = outcome()
        outcome[keyPath: number] = value
        #expect(outcome.complaint != nil, "\(what)")
    }

    @Test func `lost reports and recovery actions are found in both kinds of flood`() {
        for number in [\FloodOutcome.lostReportCount, \.lostPacketCount, \.recoveryActions] {
            var flooded = outcome()
            flooded[keyPath: number] = 1
            #expect(flooded.complaint != nil)
            #expect(flooded.complaint(beside: outcome()) != nil)
        }
    }

    @Test func `the flood must reach the required number of addresses`() {
        var flooded = outcome()
        flooded.randomAddressCount = 99_999
        #expect(flooded.complaint(beside: outcome()) == "that was no flood: 99999 random addresses")
    }

    @Test func `every stayer must have an encounter`() {
        var flooded = outcome()
        flooded.stays[Self.other] = []
        #expect(
            flooded.complaint(beside: outcome())
                == "1 of 2 who stayed have no encounter, such as c00000000002")
        flooded.stays[Self.other] = nil
        #expect(flooded.complaint(beside: outcome()) != nil)
    }

    @Test func `an additional encounter of one stayer does not offset a missing one of another`() {
        var flooded = outcome()
        let stays = (flooded.stays[Self.one] ?? [], flooded.stays[Self.other] ?? [])
        (flooded.stays[Self.one], flooded.stays[Self.other]) = (stays.1, stays.0)
        #expect(flooded.stayCount == outcome().stayCount)
        #expect(
            flooded.complaint(beside: outcome())
                == "2 of 2 who stayed have other encounters than without the flood, such as c00000000001")
    }

    @Test func `an evicted stayer is found, whether or not it got a new encounter`() {
        let complaint = "1 of 2 who stayed had to make room, such as c00000000002"
        var flooded = outcome()
        flooded.stays[Self.other] = [
            .init(opened: 2_000, lastHeard: 60_000, isClosed: true),
            .init(opened: 63_000, lastHeard: 118_000),
        ]
        #expect(flooded.complaint(beside: outcome()) == complaint)
        flooded.stays[Self.other] = [
            .init(opened: 2_000, lastHeard: 118_000, readingCount: 30, isClosed: true)
        ]
        #expect(flooded.complaint(beside: outcome()) == complaint)
    }

    @Test func `an encounter with one RSSI reading less counts as different`() {
        var flooded = outcome()
        flooded.stays[Self.other]?[0].readingCount -= 1
        #expect(flooded.complaint(beside: outcome()) != nil)
    }

    @Test func `a small flood reaches the board without losses`() {
        let calm = Flood(perSecond: 0, seconds: 5, stayers: 20, visitors: 2).outcome
        let flooded = Flood(perSecond: 2_000, seconds: 5, stayers: 20, visitors: 2).outcome
        #expect(calm.randomAddressCount == 0)
        #expect(flooded.randomAddressCount > 5_000)
        #expect(flooded.reportsBySecond.count == 5)
        #expect(flooded.readVisitorCount == 2)
        #expect(flooded.commandCount > 0 && flooded.answerCount == flooded.commandCount)
        #expect((flooded.lostReportCount, flooded.lostPacketCount, flooded.strayAnswerCount) == (0, 0, 0))
        #expect(flooded.stays.count == 20)
        #expect(flooded.stays.values.allSatisfy { $0.count == 1 && !$0[0].isClosed })
    }

    /// The board takes 2,000 steps of half a millisecond per second at most, so 2,000 reports a second are
    /// its limit. A slower board also loses answers.
    @Test func `the packets that a slow board loses in a flood are found`() throws {
        let flooded = Flood(
            perSecond: 2_000, seconds: 5, stayers: 20, visitors: 2, packetDuration: .microseconds(600)
        ).outcome
        #expect(flooded.lostPacketCount > 500)
        #expect(flooded.lostReportCount > 500)
        let calm = Flood(perSecond: 0, seconds: 5, stayers: 20, visitors: 2).outcome
        var many = flooded
        many.randomAddressCount = FloodOutcome.leastRandomAddressCount
        #expect(try #require(many.complaint(beside: calm)).contains("reports were lost"))
    }
}
