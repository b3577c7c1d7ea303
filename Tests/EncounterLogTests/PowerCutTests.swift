import FixedMemory
import FlashSimulator
import TestSupport
import Testing

@testable import EncounterLog

/// Power fails at a chosen moment of a script of appends and commits; then the log is mounted and read.
///
/// Every acknowledged entry must be there, in order and once, unless the ring has overwritten it. Nothing
/// else may be there, and the log must continue.
@Suite struct PowerCutTests {
    /// Cuts at every byte of a page's program: the medium's first page, one inside a segment, a segment's
    /// first and its last. The padding of a page reads as an erased block does, so all cuts within it leave
    /// the same bytes, and the test checks one of them.
    @Test(arguments: [0, 1, 4, 7]) func `the log survives a cut at every byte of a page`(page: Int) throws {
        let before = SimulatedMedium(.blocks(of: 4096, perSegment: 4, segments: 3))
        var scriptBefore = Script(seed: 1, entriesPerCommit: 2)
        if page > 0 { scriptBefore.run(on: before, commits: page - 1) }
        // The second segment is erased before its first page is programmed; the first segment was blank.
        let change = page == 4 ? 1 : 0
        func cut(_ count: Int) -> (SimulatedMedium, Script) {
            let medium = before.copy()
            var script = scriptBefore
            medium.cut = (change, .prefix(count))
            script.run(on: medium, commits: 3)
            #expect(!medium.isPowered)
            return (medium, script)
        }
        let (whole, _) = cut(4096)
        let block = whole.range(ofBlock: page)
        let used = try #require(block.last { whole.bytes[$0] != 0xff }) + 1 - block.lowerBound
        try #require(used > 40 && used < 4096)
        for count in 0...used {
            let (medium, scriptAfter) = cut(count)
            var script = scriptAfter
            #expect((medium.bytes == whole.bytes) == (count == used))
            try script.checkAfterCut(medium, "cut after \(count) bytes of page \(page)", furtherCommits: 2)
        }
    }

    @Test func `the log survives a power cut at every byte of an erasure`() throws {
        let before = SimulatedMedium(.small(segments: 3))
        var scriptBefore = Script(seed: 2, entriesPerCommit: 2)
        scriptBefore.run(on: before, commits: 11)
        for count in 0...1024 {
            let medium = before.copy()
            var script = scriptBefore
            medium.cut = (0, .prefix(count))
            script.run(on: medium, commits: 3)
            #expect(!medium.isPowered)
            #expect(medium.eraseCount == 1)
            try script.checkAfterCut(medium, "cut after \(count) bytes of the erasure", furtherCommits: 8)
        }
    }

    @Test func `the log survives a power cut at every byte of the first erasure of a file of zeros`() throws {
        for count in 0...1024 {
            let medium = SimulatedMedium(.small(segments: 3), filledWith: 0)
            var script = Script(seed: 3, entriesPerCommit: 2)
            medium.cut = (0, .prefix(count))
            script.run(on: medium, commits: 3)
            #expect(!medium.isPowered)
            try script.checkAfterCut(medium, "cut after \(count) bytes of the erasure", furtherCommits: 8)
        }
    }

    /// Two and a half times round the ring.
    @Test(arguments: [0x00, 0xff] as [UInt8], TearKind.allCases)
    func `the log survives a power cut at every operation`(blank: UInt8, tear: TearKind) throws {
        // `make powercut` cuts every operation of larger logs.
        for seed in UInt64(1)...2 {
            var cuts = 0
            var isFinished = false
            while !isFinished {
                let medium = SimulatedMedium(.small(segments: 4), filledWith: blank)
                var script = Script(seed: seed, entriesPerCommit: 4)
                medium.cut = (cuts, tear.tear(seed: seed &* 1000 &+ UInt64(cuts)))
                script.run(on: medium, commits: 40)
                isFinished = medium.isPowered
                // A medium full of zeros is a file: a torn erasure of it leaves only 0x00 and 0xFF.
                if blank == 0, cuts == 0, tear.leavesRandomBits { cuts += 1; continue }
                try script.checkAfterCut(
                    medium, "seed \(seed), \(tear) at change \(cuts)", furtherCommits: 30)
                cuts += 1
            }
            #expect(cuts > 40)
        }
    }

    /// The second cut hits one of the first operations after the first cut.
    @Test(arguments: TearKind.allCases) func `the log survives two power cuts`(tear: TearKind) throws {
        for first in 0..<45 {
            for second in 0..<4 {
                let medium = SimulatedMedium(.small(segments: 3))
                var script = Script(seed: 5, entriesPerCommit: 3)
                let seed = UInt64(first * 10 + second)
                medium.cut = (first, tear.tear(seed: seed))
                script.run(on: medium, commits: 36)
                let changes = medium.changeCount
                medium.powerCameBack()
                medium.cut = (changes + second, tear.tear(seed: seed &+ 7919))
                script.run(on: medium, commits: 10)
                try script.checkAfterCut(
                    medium, "\(tear) at changes \(first) and, after that, \(second)", furtherCommits: 20)
            }
        }
    }
}

enum TearKind: CaseIterable {
    case nothing, everything, partly, reordered

    var leavesRandomBits: Bool { self == .partly }

    func tear(seed: UInt64) -> SimulatedMedium.Tear {
        switch self {
        case .nothing: .nothing
        case .everything: .everything
        case .partly: .partly(RandomStream(seed: seed))
        case .reordered: .reordered(RandomStream(seed: seed))
        }
    }
}

/// Appends numbered entries, commits now and then, and remembers what was acknowledged.
struct Script {
    private var generator: SeededGenerator
    private let entriesPerCommit: Int
    private var boot: UInt64 = 0
    private var appended = 0
    /// The entry numbers of each acknowledged page.
    private var pages: [Range<Int>] = []

    init(seed: UInt64, entriesPerCommit: Int) {
        generator = SeededGenerator(seed: seed)
        self.entriesPerCommit = entriesPerCommit
    }

    /// Runs until so many commits are made, or power fails.
    mutating func run(on medium: SimulatedMedium, commits: Int) {
        boot += 1
        do throws(LogError) {
            var log = try mount(medium, boot: boot)
            var first = appended
            for _ in 0..<commits {
                for _ in 0..<Int.random(in: 1...entriesPerCommit, using: &generator) {
                    let open = log.openEntryCount
                    // Counted before the call, because a page may land although the call fails.
                    appended += 1
                    try log.appendNumbered(appended - 1..<appended)
                    if log.openEntryCount <= open {
                        pages.append(first..<appended - 1)
                        first = appended - 1
                    }
                }
                try log.commit()
                pages.append(first..<appended)
                first = appended
            }
        } catch {
            #expect(!medium.isPowered, "\(error)")
        }
    }

    mutating func checkAfterCut(_ medium: SimulatedMedium, _ comment: Comment, furtherCommits: Int) throws {
        medium.powerCameBack()
        try check(medium, comment)
        run(on: medium, commits: furtherCommits)
        try check(medium, comment)
    }

    private func check(_ medium: SimulatedMedium, _ comment: Comment) throws {
        var log = try mount(medium, boot: boot)
        let read = try ReadLog(&log)
        let numbers = read.numbers

        // In order, each once, and nothing else.
        #expect(!numbers.contains(-1), comment)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, comment)
        #expect((numbers.last ?? -1) < appended, comment)
        let sequence = read.pages.map(\.position)
        #expect(zip(sequence, sequence.dropFirst()).allSatisfy { $0 < $1 }, comment)

        // The acknowledged entries that a ring short of one segment holds. Pages lost to cuts take room.
        let geometry = medium.geometry
        let room = (geometry.segmentCount - 1) * geometry.blocksPerSegment - 1 - 2 * read.errors.count
        let kept = pages.suffix(max(0, room)).flatMap { Array($0) }
        #expect(Set(kept).isSubset(of: Set(numbers)), comment)
    }
}
