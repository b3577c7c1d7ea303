import Cryptography
import FixedMemory
import FlashSimulator
import TestSupport
import Testing

@testable import EncounterLog

@Suite struct SealingTests {
    private let geometry = FlashGeometry.blocks(of: 1_024, perSegment: 4, segments: 64)

    private func mount(
        _ medium: SimulatedMedium, boot: UInt64 = 1, sealedFor key: OwnerKeyPair?
    ) throws -> EncounterLog<SimulatedFlash> {
        medium.willBeMounted()
        return try EncounterLog(
            mounting: SimulatedFlash(medium), newLogIdentity: testIdentity, bootIdentifier: boot,
            seal: try key?.seal())
    }

    @Test func `only the owner key reads what was sealed for it`() throws {
        let key = try OwnerKeyPair()
        let medium = SimulatedMedium(geometry)
        var log = try mount(medium, sealedFor: key)
        try log.appendNumbered(0..<500)
        try log.commit()
        let isSealed = log.isSealed
        #expect(isSealed)
        #expect(log.retainedSegmentCount > 2)
        let inClear = try ReadLog(&log)
        #expect(inClear.entries.isEmpty)
        let forAnother = try ReadLog(&log, keys: [OwnerKeyPair()])
        #expect(forAnother.entries.isEmpty)
        #expect(forAnother.errors.isEmpty)
        let read = try ReadLog(&log, keys: [key])
        #expect(read.numbers == Array(0..<500))
        #expect(read.pages.allSatisfy { $0.header.isSealed })
    }

    /// Otherwise a reader would try each later page of the epoch with the key before its own.
    @Test func `a key that a failed attempt used up takes its page number with it`() throws {
        var sealer = PageSealer(try OwnerKeyPair().seal())
        _ = try sealer.beginEpoch(
            logIdentity: testIdentity, bootIdentifier: 1, head: LogHead(), segmentOrdinal: 0, epoch: 0)
        let tooLong = [UInt8](repeating: 1, count: 400)
        var page = [UInt8](repeating: 0, count: 1_024)
        var span = page.mutableSpan
        var failure: LogError?
        do throws(LogError) {
            try sealer.seal(&span, prefix: tooLong.span, entryByteCount: 40, at: .start)
        } catch {
            failure = error
        }
        #expect(failure == .cannotSeal)
        let number = sealer.pageNumber
        #expect(number == 1)
    }

    @Test func `every segment and every start has its own ephemeral key`() throws {
        let key = try OwnerKeyPair()
        let medium = SimulatedMedium(geometry)
        var segmentHeaders: Set<[UInt8]> = []
        for boot in 1...5 as ClosedRange<UInt64> {
            var log = try mount(medium, boot: boot, sealedFor: key)
            try log.appendNumbered(0..<120)
            try log.commit()
        }
        var log = try mount(medium, boot: 6, sealedFor: key)
        let pages = try ReadLog(&log, keys: [key]).pages
        let epochs = Set(pages.map { [$0.position.segmentOrdinal, UInt32($0.header.epoch)] })
        for page in pages {
            let bytes = try #require(page.segmentHeader?.seal).ephemeralKey
            segmentHeaders.insert((0..<64).map { bytes[$0] })
        }
        #expect(segmentHeaders.count == epochs.count)
        #expect(epochs.count > 5)
    }

    @Test func `an epoch prepared in slices is ready before it is needed`() throws {
        let medium = SimulatedMedium(geometry)
        var log = try mount(medium, sealedFor: OwnerKeyPair())
        for number in 0..<500 {
            try log.appendNumbered(number..<number + 1)
            if log.hasWork { try log.prepareEpoch() }
        }
        #expect(log.retainedSegmentCount > 2)
        #expect(log.sealCounters.epochsPreparedInHaste == 0)
    }

    @Test func `an epoch that is not ready is prepared on demand, and nothing is lost`() throws {
        let key = try OwnerKeyPair()
        let medium = SimulatedMedium(geometry)
        var log = try mount(medium, sealedFor: key)
        try log.appendNumbered(0..<500)
        try log.commit()
        #expect(Int(log.sealCounters.epochsPreparedInHaste) == log.retainedSegmentCount - 1)
        #expect(try ReadLog(&log, keys: [key]).numbers == Array(0..<500))
    }

    @Test func `a log in clear that gets a key seals from then on, including entries in memory`() throws {
        let key = try OwnerKeyPair()
        let medium = SimulatedMedium(geometry)
        var log = try mount(medium, sealedFor: nil)
        try log.appendNumbered(0..<40)
        try log.commit()
        try log.appendNumbered(40..<60)
        try log.reseal(key.seal())
        while log.hasWork { try log.prepareEpoch() }
        let isSealed = log.isSealed
        #expect(isSealed)
        try log.appendNumbered(60..<80)
        try log.commit()
        #expect(try ReadLog(&log).numbers == Array(0..<40))
        #expect(try ReadLog(&log, keys: [key]).numbers == Array(0..<80))
        #expect(log.sealCounters.epochsPreparedInHaste == 0)
    }

    @Test func `after a change of keys each key reads its own part of the log`() throws {
        let (old, new) = (try OwnerKeyPair(), try OwnerKeyPair())
        let medium = SimulatedMedium(geometry)
        var log = try mount(medium, sealedFor: old)
        try log.appendNumbered(0..<10)
        try log.commit()
        try log.appendNumbered(10..<20)
        try log.reseal(new.seal())
        while log.hasWork { try log.prepareEpoch() }
        try log.appendNumbered(20..<30)
        try log.commit()
        #expect(try ReadLog(&log, keys: [old]).numbers == Array(0..<10))
        #expect(try ReadLog(&log, keys: [new]).numbers == Array(10..<30))
        #expect(log.retainedSegmentCount == 1)
    }

    @Test func `pages keep the previous key until the new epoch is prepared`() throws {
        let (old, new) = (try OwnerKeyPair(), try OwnerKeyPair())
        let medium = SimulatedMedium(geometry)
        var log = try mount(medium, sealedFor: old)
        try log.appendNumbered(0..<1)
        try log.commit()
        try log.reseal(new.seal())
        try log.appendNumbered(1..<2)
        try log.commit()
        #expect(try ReadLog(&log, keys: [old]).numbers == [0, 1])
        #expect(log.sealCounters.epochsPreparedInHaste == 0)
    }

    @Test func `a segment begun before the epoch is prepared uses the new key`() throws {
        let key = try OwnerKeyPair()
        let medium = SimulatedMedium(geometry)
        var log = try mount(medium, sealedFor: nil)
        try log.reseal(key.seal())
        try log.appendNumbered(0..<400)
        try log.commit()
        let pages = try ReadLog(&log, keys: [key]).pages
        #expect(pages.flatMap(\.entries).count == 400)
        #expect(pages.allSatisfy { $0.header.isSealed == ($0.position.segmentOrdinal > 0) })
    }

    @Test func `blocks too small for sealed pages are refused, and the log continues in clear`() throws {
        let key = try OwnerKeyPair()
        let medium = SimulatedMedium(.small(segments: 4))
        #expect(throws: LogError.blocksTooSmallToSeal) {
            _ = try mount(medium, sealedFor: key)
        }
        var log = try mount(medium, sealedFor: nil)
        var failure: LogError?
        do { try log.reseal(key.seal()) } catch { failure = error as? LogError }
        #expect(failure == .blocksTooSmallToSeal)
        try log.appendNumbered(0..<4)
        try log.commit()
        #expect(try ReadLog(&log).numbers == Array(0..<4))
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `any sequence of appends, key changes and restarts is read with the keys`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let keys = [try OwnerKeyPair(), try OwnerKeyPair()]
        let medium = SimulatedMedium(geometry)
        var key: OwnerKeyPair? = seed.isMultiple(of: 2) ? nil : keys[0]
        var boot: UInt64 = 1
        var log = try mount(medium, boot: boot, sealedFor: key)
        var committed = 0
        for _ in 0..<150 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                let next = keys[Int.random(in: 0..<2, using: &random)]
                try log.reseal(next.seal())
                key = next
            case 1:
                try log.commit()
                boot += 1
                log = try mount(medium, boot: boot, sealedFor: key)
            case 2...5: if log.hasWork { try log.prepareEpoch() }
            case 6...7: try log.commit()
            default:
                let count = Int.random(in: 1..<40, using: &random)
                try log.appendNumbered(committed..<committed + count)
                committed += count
            }
        }
        try log.commit()
        let read = try ReadLog(&log, keys: keys)
        #expect(read.numbers == Array(0..<committed), "seed \(seed)")
        let chain = zip(read.pages, read.pages.dropFirst())
        #expect(
            chain.allSatisfy { before, page in
                (0..<16).map { page.link?.chainValue[$0] ?? 0 } == before.chainValue
            }, "seed \(seed)")
    }
}
