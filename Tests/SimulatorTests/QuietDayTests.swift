import Simulator
import Testing

/// A short quiet day. `make formal` runs a whole one with 1,000 visitors.
@Suite struct QuietDayTests {
    @Test func `HP-C21: a beacon reads each visitor of a quiet day exactly once, and scans all the time`() {
        let day = QuietDay(visitors: 30, hours: 1, seed: 3)
        #expect(day.visitorsByReadCount == [1: 30])
        #expect(day.isEachReadOnce)
        #expect(day.identifiedEncounterCount == 30)
        #expect(day.scanPercent > 95)
        #expect(day.linkCount >= 30)
    }

    @Test func `air use is counted to the byte`() {
        let day = QuietDay(visitors: 1, hours: 1, seed: 3)
        // An advert has 28 bytes of data in a packet of 44, on three channels.
        #expect(day.airUse.advertByteCount == day.airUse.advertCount * 132)
        // The advertising interval is 250 ms plus up to 10 ms.
        #expect((13_500...14_400).contains(day.airUse.advertCount))
        #expect(day.airUse.linkByteCount >= day.airUse.linkPacketCount * 10)
        #expect(day.airUse.airTime.microseconds == day.airUse.byteCount * 8)
    }
}
