import FlashSimulator
import TestSupport
import Testing

@testable import EncounterLog

@Suite struct GivenUpSlotsTests {
    /// A slot that the log gave up holds a segment of the round before. Where it gives up two slots in each
    /// of two rounds, those segments look like a whole round without a newer one.
    @Test(arguments: 16..<24 as Range<UInt32>) func `slots given up in two rounds hide no segment`(
        first: UInt32
    ) throws {
        let medium = SimulatedMedium(.small(segments: 8))
        var log = try mount(medium)
        // Segments up to this one, the two that cannot be begun, and three behind them.
        for last in [first - 1, first + 4] {
            while log.head.position < LogPosition(segmentOrdinal: last, byteOffset: 3 * 256 + 1) {
                if log.openEntryCount == 0 { try log.appendNumbered(0..<1) }
                try? log.commit()
            }
            medium.eraseFails = { [Int(last + 1) % 8, Int(last + 2) % 8].contains($0) }
        }
        let head = log.head
        try log.appendNumbered(1..<2)
        for _ in 0..<8 { #expect(throws: LogError.self) { try log.commit() } }
        medium.cut = (change: medium.changeCount, tear: .partly(RandomStream(seed: UInt64(first))))
        #expect(throws: LogError.self) { try log.commit() }
        medium.powerCameBack()
        medium.eraseFails = { _ in false }
        let found = try mount(medium, boot: 2).head
        #expect(found == head)
    }

    /// A segment whose first page could not be written, and whose second is damaged since, has no header of
    /// its own. On an overwritten medium one of an earlier round stands in its place, as in slots given up.
    @Test(arguments: [[2, 3], [2, 3, 5, 6]], 24..<32 as Range<UInt32>)
    func `slots given up beside a segment without a header hide no older segment`(
        givenUp: [Int], newest: UInt32
    ) throws {
        let medium = SimulatedMedium(.small(segments: 16), filledWith: 0, isOverwritable: true)
        var log = try mount(medium)
        var number = 0
        while log.head.position.segmentOrdinal < newest {
            if log.openEntryCount == 0 {
                try log.appendNumbered(number..<number + 1)
                number += 1
            }
            try? log.commit()
            // From segment 17 on; slot 4 gets segment 20 from its second block on.
            guard log.head.position.segmentOrdinal == 17 else { continue }
            medium.programFails = { givenUp.contains($0 / 4) || $0 == 4 * 4 }
        }
        let (head, before) = (log.head, try ReadLog(&log).numbers)
        medium.flip(bit: 77, inBlock: 4 * 4 + 1)
        log = try mount(medium, boot: 2)
        #expect(log.head == head)
        let after = try ReadLog(&log).numbers
        // Only the damaged page is lost.
        #expect(after == before.filter(after.contains))
        #expect(after.count == before.count - 1)
    }

    /// Two of four slots are worn, and keep segments of long ago. Then power fails while the log erases the
    /// segment before the newest. Only the newest and those of long ago are left.
    @Test func `a newest segment beside slots given up long ago is the log's`() throws {
        let medium = SimulatedMedium(.small(segments: 4))
        var log = try mount(medium)
        while log.head.position < LogPosition(segmentOrdinal: 42, byteOffset: 3 * 256 + 1) {
            if log.openEntryCount == 0 { try log.appendNumbered(0..<1) }
            try? log.commit()
            if log.head.position.segmentOrdinal == 17 { medium.eraseFails = { [3, 0].contains($0) } }
        }
        let head = log.head
        try log.appendNumbered(1..<2)
        for _ in 0..<8 { #expect(throws: LogError.self) { try log.commit() } }
        medium.cut = (change: medium.changeCount, tear: .partly(RandomStream(seed: 1)))
        #expect(throws: LogError.self) { try log.commit() }
        medium.powerCameBack()
        medium.eraseFails = { _ in false }
        let mounted = try mount(medium, boot: 2)
        let (found, hasForeignPages) = (mounted.head, mounted.foundForeignPages)
        #expect(found == head)
        #expect(!hasForeignPages)
    }
}
