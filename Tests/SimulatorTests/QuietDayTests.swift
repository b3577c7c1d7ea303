import Simulator
import Testing

/// A quiet day, small. `make formal` runs a whole one with 1,000 visitors.
@Suite struct QuietDayTests {
    @Test("HP-C21: each visitor of a quiet day is read once and once only, and the board scans all the while")
    func oncePerVisitor() {
        let day = QuietDay(visitors: 30, hours: 1, seed: 3)
        #expect(day.visitorsByReadCount == [1: 30])
        #expect(day.isEachReadOnce)
        #expect(day.identifiedEncounterCount == 30)
        #expect(day.scanPercent > 95)
        #expect(day.linkCount >= 30)
    }

    @Test func `what is sent is counted to the byte`() {
        let day = QuietDay(visitors: 1, hours: 1, seed: 3)
        // 28 bytes in a packet of 44, on three channels.
        #expect(day.airUse.advertByteCount == day.airUse.advertCount * 132)
        // Each 250 ms and up to ten more.
        #expect((13_500...14_400).contains(day.airUse.advertCount))
        #expect(day.airUse.linkByteCount >= day.airUse.linkPacketCount * 10)
        #expect(day.airUse.airTime.microseconds == day.airUse.byteCount * 8)
    }
}
