import FixedMemory
import FlashSimulator
import TestSupport
import Testing

@testable import EncounterLog

/// A host asks for the bytes that it lacks, and never again for a segment that it has fetched completely. So
/// bytes that were served once must not change, and the log must not append to a complete segment.
@Suite struct HandedOutBytesTests {
    @Test
    func
        `failed pages at a segment's end are not served before the next segment has a page`()
        throws
    {
        let medium = SimulatedMedium(.small(segments: 4))
        var host = Host()
        do {
            var log = try mount(medium)
            try log.appendNumbered(0..<1)
            try log.commit()
            medium.programFails = { _ in true }
            medium.eraseFails = { _ in true }
            try log.appendNumbered(1..<2)
            for _ in 0..<3 { #expect(throws: LogError.self) { try log.commit() } }
            try host.fetch(&log)
            #expect(host.segments[0]?.isComplete == false)
        }
        medium.powerWasCut()
        medium.powerCameBack()
        medium.programFails = { _ in false }
        medium.eraseFails = { _ in false }
        var log = try mount(medium, boot: 2)
        for number in 2..<9 {
            try log.appendNumbered(number..<number + 1)
            try log.commit()
        }
        try host.fetch(&log)
        #expect(host.complaints.isEmpty)
        #expect(host.numbers == [0] + Array(2..<9))
    }

    @Test
    func `a page whose write the agent never saw confirmed is synced before it is served`()
        throws
    {
        let medium = SimulatedMedium(.small(segments: 4))
        var host = Host()
        do {
            var log = try mount(medium)
            medium.programFails = { _ in true }
            medium.failingProgramLands = true
            try log.appendNumbered(0..<1)
            #expect(throws: LogError.self) { try log.commit() }
        }
        medium.programFails = { _ in false }
        medium.willBeMounted()
        var log = try mount(medium, boot: 2)
        try host.fetch(&log)
        medium.powerWasCut()
        medium.powerCameBack()
        log = try mount(medium, boot: 3)
        try log.appendNumbered(1..<2)
        try log.commit()
        try host.fetch(&log)
        #expect(host.complaints.isEmpty)
        #expect(Set(host.numbers) == [0, 1])
    }

    @Test func `a complete segment stays complete when the next segment's only page is damaged`() throws {
        let medium = SimulatedMedium(.small(segments: 4))
        var host = Host()
        do {
            var log = try mount(medium)
            medium.programFails = { (2..<4).contains($0) }
            for number in 0..<2 {
                try log.appendNumbered(number..<number + 1)
                while log.openEntryCount > 0 { try? log.commit() }
            }
            try host.fetch(&log)
            #expect(host.segments[0]?.isComplete == true)
            #expect(host.segments[1]?.bytes.count == 256)
        }
        medium.programFails = { _ in false }
        medium.flip(bit: 100, inBlock: 4)
        medium.willBeMounted()
        var log = try mount(medium, boot: 2)
        try log.appendNumbered(2..<3)
        try log.commit()
        let oldest = log.retainedSegment(ordinal: 0)
        let bytes = try log.bytes(of: #require(oldest))
        #expect(bytes == host.segments[0]?.bytes)
        let read = try ReadLog(&log)
        #expect(read.numbers == [0, 2])
    }

    /// Programs, erasures and syncs fail, power is cut, and the agent is killed, all at random; a host
    /// fetches after each entry.
    @Test func `whatever fails, served bytes never change and hosts get every acknowledged entry`()
        throws
    {
        let seed = UInt64.random(in: 0...UInt64.max)
        for round in UInt64(0)..<200 {
            let random = RandomSource(seed: seed &+ round)
            let medium = SimulatedMedium(.small(segments: 6))
            medium.random = random.stream.split("power")
            var host = Host()
            var acknowledged: Set<Int> = []
            var number = 0
            for boot in UInt64(1)...8 {
                medium.heal()
                // The first mount formats, so its syncs must succeed.
                let mountSyncs = boot == 1 || random.stream.chance(0.5)
                medium.syncFails = { !mountSyncs }
                medium.willBeMounted()
                var log = try mount(medium, boot: boot)
                try host.fetch(&log)
                medium.failAtRandom(random)
                var waiting: [Int] = []
                for _ in 0..<random.stream.below(12) {
                    if (try? log.appendNumbered(number..<number + 1)) != nil { waiting.append(number) }
                    number += 1
                    if (try? log.commit()) != nil { acknowledged.formUnion(waiting) }
                    try host.fetch(&log)
                }
                if random.stream.chance(0.5) {
                    medium.powerWasCut()
                    medium.powerCameBack()
                }
            }
            let lost = acknowledged.subtracting(host.numbers)
            #expect(host.complaints == [], "seed \(seed), round \(round)")
            #expect(lost.isEmpty, "seed \(seed), round \(round)")
        }
    }
}

/// A host that fetches like `tabardctl sync`: only the bytes that it lacks, and nothing of a segment that it
/// has completely.
private struct Host {
    private(set) var segments: [UInt32: (bytes: [UInt8], isComplete: Bool)] = [:]
    private(set) var complaints: [String] = []

    mutating func fetch(_ log: inout EncounterLog<SimulatedFlash>) throws {
        for index in 0..<log.retainedSegmentCount {
            guard let segment = log.retainedSegment(at: index) else { break }
            let before = segments[segment.ordinal] ?? ([], false)
            if before.isComplete { continue }
            let bytes = try log.bytes(of: segment)
            if !bytes.starts(with: before.bytes) {
                complaints.append("segment \(segment.ordinal) is not what it was")
            }
            segments[segment.ordinal] = (bytes, segment.isComplete)
        }
    }

    /// The numbers of all entries that it can read, by segment.
    var numbers: [Int] {
        segments.sorted { $0.key < $1.key }.flatMap { ordinal, segment in
            ReadLog(segment: segment.bytes, ordinal: ordinal, geometry: .small(segments: 4)).numbers
        }
    }
}

private final class RandomSource {
    var stream: RandomStream
    init(seed: UInt64) { stream = RandomStream(seed: seed) }
}

extension SimulatedMedium {
    fileprivate func heal() {
        programFails = { _ in false }
        eraseFails = { _ in false }
        syncFails = { false }
    }

    fileprivate func failAtRandom(_ random: RandomSource) {
        let chances = (0..<3).map { _ in [0, 0.3, 0.7, 1][Int(random.stream.below(4))] }
        programFails = { _ in random.stream.chance(chances[0]) }
        eraseFails = { _ in random.stream.chance(chances[1]) }
        syncFails = { random.stream.chance(chances[2]) }
        failingProgramLands = random.stream.chance(0.5)
        failedSyncLands = { random.stream.chance(0.5) }
    }
}
