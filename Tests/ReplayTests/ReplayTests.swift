import EncounterLog
import FixedMemory
import HCI
import Peers
import Replay
import TestSupport
import Testing

@Suite struct ReplayTests {
    /// The declaration of Herald's payload characteristic: handle 2, value at 3. The next one declares the
    /// signal
    /// characteristic: handle 4, value at 5.
    private let payloadDeclared = "09 15 0200 02 0300 e733898fe34321a12948058ff8c0983e"
    private let signalDeclared = "09 15 0400 08 0500 111a82809ae024837a432e0913b817f6"
    private let askForCharacteristics = "08 0100 ffff 0328"

    @Test func advertsAreAnEncounterWithItsSamples() throws {
        var capture = TestCapture()
        capture.adverts(100)
        capture.milliseconds += 60_000
        capture.event("0e 01 0000")
        let result = try capture.replay()
        #expect(result.opened.map(\.monotonicMilliseconds) == [1_000_000])
        #expect(result.samples.map { Int($0.readings) } == [80, 20])
        #expect(result.closed.map(\.readings) == [100])
        #expect(result.counters.reports == 100)
    }

    @Test func extendedReportsAreReportsToo() throws {
        var capture = TestCapture()
        for _ in 0..<20 {
            capture.event("3e 0d 01 1300 01 112233445566 01 00 ff 7f c4 0000 00 000000000000 04 0303f6fc")
            capture.milliseconds += 100
        }
        let result = try capture.replay()
        #expect(result.opened.count == 1)
        #expect(result.samples.map(\.minimumRSSIDBm) == [-60])
        #expect(result.counters.reports == 20)
    }

    @Test func `An Exposure Notification advert identifies its sender, if that scheme is on`()
        throws
    {
        var capture = TestCapture()
        for _ in 0..<20 {
            capture.event(
                "3e 02 01 03 01 112233445506 1f 02011a03036ffd17166ffd8be6cd371c5c891604bfbe49df84509672033874 c4"
            )
            capture.milliseconds += 250
        }
        #expect(try capture.replay().opened.isEmpty)
        var settings = RecorderSettings()
        settings.heardHints.insert(.exposureNotification)
        let result = try capture.replay(settings)
        #expect(result.opened.map(\.foundBy) == [.exposureNotification])
        #expect(result.entries.compactMap(\.identified?.scheme.id) == [.exposureNotification])
        #expect(result.counters.reports == 20)
    }

    @Test func aPayloadThatIsReadTellsWhoItIs() throws {
        var capture = TestCapture()
        capture.adverts(5)
        capture.connect()
        capture.ask("02 0502")
        capture.hear("03 b900")
        capture.ask(askForCharacteristics)
        capture.hear(payloadDeclared)
        capture.ask("0a 0300")
        capture.hear("0b 3012345678")
        capture.disconnect()
        let result = try capture.replay()
        #expect(result.identities == ["3012345678"])
        #expect(result.summary.links == 1 && result.summary.identities == 1)
    }

    @Test func `A peer's identities in other schemes are checked and recorded, if those schemes are on`()
        throws
    {
        var capture = TestCapture()
        capture.adverts(5)
        capture.connect()
        capture.ask(askForCharacteristics)
        capture.hear("09 15 0200 12 0300 e6e5e1c706bda3b9464d7f474a49b904")
        capture.ask(askForCharacteristics)
        capture.hear("09 15 0400 0e 0500 33f04e67e9e2dd8cf74e15744755569f")
        capture.ask("0a 0300")
        capture.hear("0b" + String(repeating: "ab", count: 20))
        capture.ask("0a 0500")
        capture.hear("0b 01020304")
        capture.disconnect()
        #expect(try capture.replay().identities.isEmpty)
        var settings = RecorderSettings()
        settings.heardHints.insert(.covidTracer)
        settings.heardHints.insert(.bleProximity)
        let result = try capture.replay(settings)
        #expect(result.entries.compactMap(\.identified?.scheme.id) == [.covidTracer])
        #expect(result.identities == [String(repeating: "ab", count: 20)])
        #expect(result.entries.compactMap(\.refused?.scheme.id) == [.bleProximity])
    }

    @Test func aPayloadReadInPiecesIsOne() throws {
        var capture = TestCapture()
        capture.adverts(5)
        capture.connect()
        capture.ask(askForCharacteristics)
        capture.hear(payloadDeclared)
        let (first, second) = (String(repeating: "ab", count: 22), "cdef")
        capture.ask("0a 0300")
        capture.hear("0b" + first)
        capture.ask("0c 0300 1600")
        capture.hear("0d" + second)
        #expect(try capture.replay().identities == [first + second])
    }

    @Test func aPayloadThatEndsWithAFullAnswerIsWhole() throws {
        let value = String(repeating: "ab", count: 22)
        var capture = TestCapture()
        capture.adverts(5)
        capture.connect()
        capture.ask(askForCharacteristics)
        capture.hear(payloadDeclared)
        capture.ask("0a 0300")
        capture.hear("0b" + value)
        var refused = capture
        refused.ask("0c 0300 1600")
        refused.hear("01 0c 0300 07")
        #expect(try refused.replay().identities == [value])
        capture.disconnect()
        #expect(try capture.replay().identities == [value])
    }

    @Test func aPeerThatWritesItsPayloadInPiecesIsKnown() throws {
        var capture = TestCapture()
        capture.adverts(5)
        capture.connect(role: "01")
        capture.hear(askForCharacteristics)
        capture.say(signalDeclared, .hostToController)
        capture.hear("12 0500 01 0500 3012")
        capture.say("13", .hostToController)
        capture.hear("12 0500 345678")
        capture.say("13", .hostToController)
        #expect(try capture.replay().identities == ["3012345678"])
    }

    @Test func aPeersRSSIMessageIsAReading() throws {
        var capture = TestCapture()
        capture.connect(role: "01")
        capture.hear(askForCharacteristics)
        capture.say(signalDeclared, .hostToController)
        capture.hear("12 0500 02 c8ff")
        let result = try capture.replay()
        #expect(result.opened.map(\.foundBy) == [.connectedToUs])
        #expect(result.samples.map(\.maximumRSSIDBm) == [-56])
    }

    @Test func ourOwnPayloadIsNobodysElse() throws {
        var capture = TestCapture()
        capture.adverts(5)
        capture.connect(role: "01")
        capture.hear(askForCharacteristics)
        capture.say(payloadDeclared, .hostToController)
        capture.hear("0a 0300")
        capture.say("0b 3012345678", .hostToController)
        #expect(try capture.replay().identities == [])
    }

    @Test func aReadOfSomethingElseTellsNothing() throws {
        var capture = TestCapture()
        capture.adverts(5)
        capture.connect()
        capture.ask(askForCharacteristics)
        capture.hear(payloadDeclared)
        capture.ask("0a 0500")
        capture.hear("0b 3012345678")
        #expect(try capture.replay().identities == [])
    }

    @Test func theAddressThatWasAskedForCounts() throws {
        var capture = TestCapture()
        capture.adverts(5)
        capture.command("0d20 6000 3000 00 01 112233445566 01 1800 2800 0000 f401 0000 0000")
        capture.connect(address: "ffffffffffff")
        capture.ask(askForCharacteristics)
        capture.hear(payloadDeclared)
        capture.ask("0a 0300")
        capture.hear("0b 3012345678")
        let result = try capture.replay()
        #expect(result.identities == ["3012345678"] && result.opened.count == 1)
    }

    @Test func aPacketCapturedInPartCostsWhatWasBeingReadAndNoMore() throws {
        var capture = TestCapture()
        capture.adverts(5)
        capture.connect()
        capture.ask(askForCharacteristics)
        capture.hear(payloadDeclared)
        capture.ask("0a 0300")
        capture.add([UInt8](hex: "0240200a000600040000"), .controllerToHost, originalByteCount: 15)
        capture.ask("0a 0300")
        capture.hear("0b 3012345678")
        let result = try capture.replay()
        #expect(result.identities == ["3012345678"])
        #expect(result.summary.cutPackets == 1)
    }

    @Test func timeThatGoesBackGoesOn() throws {
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

    @Test func coverageIsTheTimeOfScanningAndCountsEachReportOnce() throws {
        var capture = TestCapture()
        capture.command("0c20 0100")
        capture.event("0e 01 0c20 00")
        capture.adverts(20)
        capture.command("0c20 0000")
        capture.event("0e 01 0c20 00")
        capture.milliseconds += 10_000
        capture.command("0c20 0100")
        capture.event("0e 01 0c20 00")
        capture.adverts(10)
        let coverage = try capture.replay().coverage
        #expect(coverage.map(\.startMilliseconds) == [1_000_000, 1_012_000])
        #expect(coverage.map(\.endMilliseconds) == [1_002_000, 1_012_900])
        #expect(coverage.map(\.reports) == [20, 10])
    }

    @Test func `a silence without evidence of scanning is not covered`() throws {
        var capture = TestCapture()
        capture.command("0c20 0100")
        capture.event("0e 01 0c20 00")
        capture.adverts(20)
        capture.milliseconds += 3_600_000
        capture.adverts(10)
        let coverage = try capture.replay().coverage
        #expect(coverage.map(\.startMilliseconds) == [1_000_000, 4_602_000])
        #expect(coverage.map(\.endMilliseconds) == [1_001_900, 4_602_900])
        #expect(coverage.map(\.reports) == [20, 10])
    }

    @Test func aReportThatComesLateDoesNotBeginAScan() throws {
        var capture = TestCapture()
        capture.command("0c20 0100")
        capture.event("0e 01 0c20 00")
        capture.adverts(20)
        capture.command("0c20 0000")
        capture.event("0e 01 0c20 00")
        capture.adverts(1)
        capture.milliseconds += 60_000
        capture.event("0e 01 0000")
        #expect(try capture.replay().coverage.map(\.endMilliseconds) == [1_002_000])
    }

    @Test func moreLinksThanThereIsRoomForCostTheOldest() throws {
        var capture = TestCapture()
        capture.adverts(5)
        capture.connect()
        capture.ask(askForCharacteristics)
        capture.hear(payloadDeclared)
        for handle in 0x50..<0x60 {
            capture.milliseconds += 1
            capture.connect(handle: [UInt8(handle), 0].hex, address: "0000000000" + [UInt8(handle)].hex)
        }
        capture.ask("0a 0300")
        capture.hear("0b 3012345678")
        let result = try capture.replay()
        #expect(result.summary.links == 17)
        #expect(result.identities == [])
    }

    @Test func eachEntryHasItsWords() throws {
        var capture = TestCapture()
        capture.adverts(5)
        capture.connect()
        capture.ask(askForCharacteristics)
        capture.hear(payloadDeclared)
        capture.ask("0a 0300")
        capture.hear("0b 303a03040040e20100")
        var lines: [String] = []
        for entry in try capture.replay().entries {
            var line = FixedBuffer<512>()
            try EntryText.write(entry, to: &line)
            lines.append(String(decoding: line.span.array, as: UTF8.self))
        }
        #expect(
            lines == [
                "1970-01-01 00:16:40.000  opened     #1, 66:55:44:33:22:11 (random), found by Herald's service",
                "1970-01-01 00:16:40.530  identified #1, herald 826/4/123456",
                "1970-01-01 00:16:40.000  sample     #1, 400 ms, 5 readings, -60 to -60 dBm, mean -60.0",
                "1970-01-01 00:16:40.000  coverage   until 1970-01-01 00:16:40.530, 5 reports, 0 malformed, 0 dropped, 0 evicted",
            ])
    }
}
