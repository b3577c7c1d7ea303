import Archive
import Cryptography
import EncounterLog
import FixedMemory
import FlashSimulator
import TestSupport
import Testing

/// Logs that nobody altered, and what `verify` reports of them.
@Suite struct VerifySoundLogTests {
    private let log: AlteredLog

    init() throws { log = try AlteredLog() }

    @Test(arguments: [true, false])
    func `a log as the board wrote it is sound`(withKey: Bool) throws {
        let result = try log.verify(withKey: withKey)
        #expect(kinds(result).isEmpty)
        #expect(result.isSound)
        #expect(result.segmentCount == log.board.segments.count)
        #expect(result.chainedPageCount == result.pageCount)
        #expect(result.openedPageCount == (withKey ? result.pageCount : 0))
        #expect(result.lockedPageCount == (withKey ? 0 : result.pageCount))
        #expect(result.signatureCount >= 3)
        #expect(result.entryCount >= 3 * TestLog.entries(boot: 1, trackCount: AlteredLog.trackCount).count)
        let notes = result.findings.map(\.kind)
        #expect(notes.contains(.locked) == !withKey)
        #expect(notes.contains(.unsignedEnd))
    }

    @Test func `an unencrypted log is protected by its chain only, and the finding says so`() throws {
        let board = try SealedBoard()
        try board.run(boot: 1, sealedFor: nil, entries: TestLog.entries(boot: 1, trackCount: 40))
        try board.fetch(into: log.archive, signsEnd: false)
        let result = try log.archive.verify(board.identity)
        #expect(result.findings.map(\.kind) == [.unsigned])
        #expect(result.isSound)
    }

    @Test func `without the board's key, the finding is that nothing was checked`() throws {
        try log.archive.register(log.board.identity, blockByteCount: 1_024, unitByteCount: 16)
        for segment in log.board.segments {
            try log.archive.append(segment.bytes, at: 0, segment: segment.ordinal, of: log.board.identity)
        }
        let result = try log.archive.verify(log.board.identity, keys: log.ownerKey.ownerKey)
        #expect(result.findings.map(\.kind) == [.boardKeyUnknown])
        #expect(result.signatureCount == 0)
    }

    @Test func `a write that failed and still took effect is not a forgery`() throws {
        let board = try SealedBoard()
        var calls = 0
        board.medium.failingProgramLands = true
        board.medium.programFails = { _ in
            calls += 1
            return calls.isMultiple(of: 5)
        }
        try board.run(
            boot: 1, sealedFor: log.ownerKey.publicHalf, entries: TestLog.entries(boot: 1, trackCount: 40))
        try board.fetch(into: log.archive)
        let result = try log.archive.verify(board.identity, keys: log.ownerKey.ownerKey)
        #expect(kinds(result).isEmpty)
        #expect(result.findings.map(\.kind).contains(.pagesAside))
        #expect(result.chainedPageCount < result.pageCount)
    }

    /// The seed also moves the cuts: the first falls into the fourth to the 43rd change.
    @Test(arguments: [0, 1, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 39] as [UInt64])
    func `the state after power cuts is sound`(seed: UInt64) throws {
        let board = try SealedBoard()
        for boot in 1...6 as ClosedRange<UInt64> {
            board.medium.powerCameBack()
            board.medium.random = RandomStream(seed: seed &* 31 &+ boot)
            let tear: SimulatedMedium.Tear =
                boot.isMultiple(of: 2)
                ? .partly(RandomStream(seed: seed &+ boot)) : .reordered(RandomStream(seed: seed &+ boot))
            board.medium.cut = (board.medium.changeCount + Int(seed) + 3 * Int(boot), tear)
            do {
                try board.run(
                    boot: boot, sealedFor: log.ownerKey.publicHalf,
                    entries: TestLog.entries(boot: boot, trackCount: 60), commitsEach: boot.isMultiple(of: 3))
            } catch let error as LogError {
                guard case .flash = error else { throw error }
            }
        }
        board.medium.powerCameBack()
        board.medium.cut = nil
        try board.run(
            boot: 9, sealedFor: log.ownerKey.publicHalf, entries: TestLog.entries(boot: 9, trackCount: 3))
        try board.fetch(into: log.archive)
        let result = try log.archive.verify(board.identity, keys: log.ownerKey.ownerKey)
        #expect(kinds(result).isEmpty, "seed \(seed): \(result.findings)")
    }

    @Test func `overwritten segments are reported with their cost`() throws {
        let board = try SealedBoard(segmentCount: 4)
        try board.run(
            boot: 1, sealedFor: log.ownerKey.publicHalf, entries: TestLog.entries(boot: 1, trackCount: 20))
        try board.fetch(into: log.archive)
        try board.run(
            boot: 2, sealedFor: log.ownerKey.publicHalf, entries: TestLog.entries(boot: 2, trackCount: 300))
        try board.fetch(into: log.archive)
        let result = try log.archive.verify(board.identity, keys: log.ownerKey.ownerKey)
        #expect(result.severity == .gap)
        let gap = try #require(result.findings.first { $0.severity == .gap })
        guard case .overwritten(let count) = gap.kind else { throw CancellationError() }
        #expect(count > 0)
        #expect(gap.lostEntryCount ?? 0 > 0)
        #expect(gap.isAtLeast)
        #expect(gap.before?.boot == 1)
        #expect(gap.after?.boot == 2)
        #expect(gap.cause == .room)
        #expect(gap.isAcknowledged == false)
    }

    /// With six slots the board's reports on all erased segments remain; with four, some reports were
    /// overwritten too.
    @Test(arguments: [6, 4])
    func `overwritten segments that no host fetched are counted`(segmentCount: Int) throws {
        let isAllTold = segmentCount == 6
        let board = try SealedBoard(segmentCount: segmentCount)
        let entries = TestLog.entries(boot: 1, trackCount: 300)
        try board.run(boot: 1, sealedFor: log.ownerKey.publicHalf, entries: entries)
        try board.fetch(into: log.archive)
        let result = try log.archive.verify(board.identity, keys: log.ownerKey.ownerKey)
        let gap = try #require(result.findings.first { $0.severity == .gap })
        let oldest = try #require(board.segments.first).ordinal
        #expect(gap.kind == .overwritten(count: Int(oldest)))
        #expect(gap.cause == .room)
        #expect(gap.isAtLeast == !isAllTold)
        #expect(gap.before?.boot == (isAllTold ? 1 : nil))
        #expect(gap.after?.boot == 1)

        try log.archive.decodePages(of: board.identity, keys: log.ownerKey.ownerKey)
        let history = try log.archive.history(of: board.identity)
        let told = history.gaps.reduce(0) { $0 + $1.missingSegmentCount }
        #expect(isAllTold ? told == Int(oldest) : told < Int(oldest))
        let lost = history.gaps.reduce(0) { $0 + ($1.entryCount ?? 0) }
        #expect(gap.lostEntryCount == lost)
        if isAllTold { #expect(lost + result.entryCount == entries.count + history.gaps.count) }
    }
}
