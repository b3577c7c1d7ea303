import Archive
import EncounterLog
import FixedMemory
import Testing

/// How surely a board that listens for a part of the time hears a sender.
@Suite struct DetectionChanceTests {
    private func chance(_ interval: UInt16, _ window: UInt16) throws -> DetectionChance {
        try #require(DetectionChance(ScanTiming(intervalSlots: interval, windowSlots: window)))
    }

    @Test func `each advert is heard with the share of the time in which the board listens`() throws {
        let chance = try chance(240, 48)
        #expect(chance.perAdvert == 0.2)
        #expect(
            abs(chance.chance(within: .seconds(10), senderInterval: .seconds(1)) - (1 - 0.1073741824)) < 1e-9)
        // 0.8 to the power of 13.4 is 0.05.
        #expect(chance.length(forChance: 0.95, senderInterval: .seconds(1)) == 13_426)
    }

    @Test func `a board that always listens hears the first advert`() throws {
        let chance = try chance(96, 96)
        #expect(chance.chance(within: .seconds(1), senderInterval: .seconds(1)) == 1)
        #expect(chance.length(forChance: 0.95, senderInterval: .seconds(1)) == 1_000)
    }

    @Test(arguments: [(0, 10), (10, 0)] as [(UInt16, UInt16)])
    func `a timing that no controller accepts says nothing`(_ interval: UInt16, _ window: UInt16) {
        #expect(DetectionChance(ScanTiming(intervalSlots: interval, windowSlots: window)) == nil)
    }

    @Test func `a window longer than its interval counts as always`() throws {
        #expect(try chance(10, 20).perAdvert == 1)
    }
}
