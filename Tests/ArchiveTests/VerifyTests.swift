import Archive
import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import FlashSimulator
import TestSupport
import Testing

/// Modifications of a log, and the findings that `verify` reports for them.
@Suite struct VerifyTests {
    private let board: SealedBoard
    private let ownerKey: TestKey
    private let archive: Archive
    private let geometry: FlashGeometry
    private let victimIndex: Int
    private static let trackCount = 80

    /// Three boots over several segments.
    init() throws {
        board = try SealedBoard()
        ownerKey = try TestKey()
        for boot in 1...3 as ClosedRange<UInt64> {
            try board.run(
                boot: boot, sealedFor: ownerKey.publicHalf,
                entries: TestLog.entries(boot: boot, trackCount: Self.trackCount))
        }
        archive = try Archive(inMemoryNamed: "test")
        geometry = board.medium.geometry
        let segments = board.segments
        victimIndex = try #require(
            segments.indices.dropFirst().first { index in
                let around = segments[index...].prefix(2).compactMap {
                    SegmentHeader(pageStart: $0.bytes.span)
                }
                return around.map(\.bootIdentifier) == [2, 2] && around[1].predecessor?.isAtLeast == false
            })
    }

    private typealias Change = (_ ordinal: UInt32, _ bytes: inout [UInt8]) -> Void

    /// Verifies the log with or without the owner key.
    private func verify(
        withKey: Bool = true, leavingOut: (UInt32) -> Bool = { _ in false }, _ change: Change = { _, _ in }
    ) throws -> LogVerification {
        try board.fetch(into: archive, changing: change, leavingOut: leavingOut)
        return try archive.verify(board.identity, keys: withKey ? ownerKey.ownerKey : .none)
    }

    private func kinds(_ result: LogVerification, from severity: LogFinding.Severity = .gap) -> [LogFinding
        .Kind]
    {
        result.findings.filter { $0.severity >= severity }.map(\.kind)
    }

    /// A segment in the middle, all of whose pages belong to one boot, as do those of the next segment.
    private var victim: FetchedSegment { board.segments[victimIndex] }

    private var pages: [PageForge.Place] {
        PageForge.pages(of: victim.bytes, ordinal: victim.ordinal, geometry)
    }

    private func inVictim(_ change: @escaping (inout [UInt8]) -> Void) -> Change {
        { ordinal, bytes in if ordinal == victim.ordinal { change(&bytes) } }
    }

    // MARK: Sound logs

    @Test(arguments: [true, false])
    func aLogAsTheBoardWroteItIsSound(withKey: Bool) throws {
        let result = try verify(withKey: withKey)
        #expect(kinds(result).isEmpty)
        #expect(result.isSound)
        #expect(result.segmentCount == board.segments.count)
        #expect(result.chainedPageCount == result.pageCount)
        #expect(result.openedPageCount == (withKey ? result.pageCount : 0))
        #expect(result.lockedPageCount == (withKey ? 0 : result.pageCount))
        #expect(result.signatureCount >= 3)
        #expect(result.entryCount >= 3 * TestLog.entries(boot: 1, trackCount: Self.trackCount).count)
        let notes = result.findings.map(\.kind)
        #expect(notes.contains(.locked) == !withKey)
        #expect(notes.contains(.unsignedEnd))
    }

    @Test func aLogInClearIsHeldTogetherByItsChainAndThatIsSaid() throws {
        let board = try SealedBoard()
        try board.run(boot: 1, sealedFor: nil, entries: TestLog.entries(boot: 1, trackCount: 40))
        try board.fetch(into: archive)
        let result = try archive.verify(board.identity)
        #expect(result.findings.map(\.kind) == [.unsigned])
        #expect(result.isSound)
    }

    @Test func withoutTheBoardsKeyItIsSaidThatNothingWasChecked() throws {
        try archive.register(board.identity, blockByteCount: 1_024, unitByteCount: 16)
        for segment in board.segments {
            try archive.append(segment.bytes, at: 0, segment: segment.ordinal, of: board.identity)
        }
        let result = try archive.verify(board.identity, keys: ownerKey.ownerKey)
        #expect(result.findings.map(\.kind) == [.boardKeyUnknown])
        #expect(result.signatureCount == 0)
    }

    @Test func aWriteThatWasSaidToHaveFailedAndLandedIsNoFork() throws {
        let board = try SealedBoard()
        var calls = 0
        board.medium.failingProgramLands = true
        board.medium.programFails = { _ in
            calls += 1
            return calls.isMultiple(of: 5)
        }
        try board.run(
            boot: 1, sealedFor: ownerKey.publicHalf, entries: TestLog.entries(boot: 1, trackCount: 40))
        try board.fetch(into: archive)
        let result = try archive.verify(board.identity, keys: ownerKey.ownerKey)
        #expect(kinds(result).isEmpty)
        #expect(result.findings.map(\.kind).contains(.pagesAside))
        #expect(result.chainedPageCount < result.pageCount)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func whatPowerCutsLeaveIsSound(seed: UInt64) throws {
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
                    boot: boot, sealedFor: ownerKey.publicHalf,
                    entries: TestLog.entries(boot: boot, trackCount: 60), commitsEach: boot.isMultiple(of: 3))
            } catch let error as LogError {
                guard case .flash = error else { throw error }
            }
        }
        board.medium.powerCameBack()
        board.medium.cut = nil
        try board.run(
            boot: 9, sealedFor: ownerKey.publicHalf, entries: TestLog.entries(boot: 9, trackCount: 3))
        try board.fetch(into: archive)
        let result = try archive.verify(board.identity, keys: ownerKey.ownerKey)
        #expect(kinds(result).isEmpty, "seed \(seed): \(result.findings)")
    }

    @Test func whatTheRingOverwroteIsAGapWithItsCost() throws {
        let board = try SealedBoard(segmentCount: 4)
        try board.run(
            boot: 1, sealedFor: ownerKey.publicHalf, entries: TestLog.entries(boot: 1, trackCount: 20))
        try board.fetch(into: archive)
        try board.run(
            boot: 2, sealedFor: ownerKey.publicHalf, entries: TestLog.entries(boot: 2, trackCount: 300))
        try board.fetch(into: archive)
        let result = try archive.verify(board.identity, keys: ownerKey.ownerKey)
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
    func whatNobodyEverFetchedIsCounted(segmentCount: Int) throws {
        let isAllTold = segmentCount == 6
        let board = try SealedBoard(segmentCount: segmentCount)
        let entries = TestLog.entries(boot: 1, trackCount: 300)
        try board.run(boot: 1, sealedFor: ownerKey.publicHalf, entries: entries)
        try board.fetch(into: archive)
        let result = try archive.verify(board.identity, keys: ownerKey.ownerKey)
        let gap = try #require(result.findings.first { $0.severity == .gap })
        let oldest = try #require(board.segments.first).ordinal
        #expect(gap.kind == .overwritten(count: Int(oldest)))
        #expect(gap.cause == .room)
        #expect(gap.isAtLeast == !isAllTold)
        #expect(gap.before?.boot == (isAllTold ? 1 : nil))
        #expect(gap.after?.boot == 1)

        try archive.decodePages(of: board.identity, keys: ownerKey.ownerKey)
        let history = try archive.history(of: board.identity)
        let told = history.gaps.reduce(0) { $0 + $1.missingSegmentCount }
        #expect(isAllTold ? told == Int(oldest) : told < Int(oldest))
        let lost = history.gaps.reduce(0) { $0 + ($1.entryCount ?? 0) }
        #expect(gap.lostEntryCount == lost)
        if isAllTold { #expect(lost + result.entryCount == entries.count + history.gaps.count) }
    }

    // MARK: Damage

    @Test(arguments: [true, false])
    func aDamagedPageIsNamedWithItsCostAndTheRestIsRead(withKey: Bool) throws {
        let place = pages[pages.count / 2]
        let result = try verify(withKey: withKey, inVictim { $0[place.byteOffset + 200] ^= 4 })
        #expect(kinds(result) == [.damagedPages])
        let finding = try #require(result.findings.first { $0.kind == .damagedPages })
        #expect(finding.position?.byteOffset == UInt32(place.byteOffset))
        #expect(finding.pageCount == 1)
        #expect(finding.lostEntryCount ?? 0 > 0)
        #expect(!finding.isAtLeast)
        if withKey {
            #expect(finding.before != nil)
            #expect(finding.after != nil)
        }
        let whole = try Archive(inMemoryNamed: "whole")
        try board.fetch(into: whole)
        #expect(try result.pageCount == whole.verify(board.identity).pageCount - 1)
    }

    /// The first page of a segment contains the segment header, and so does the first page of the next block.
    @Test func aDamagedOpeningCostsItsPageOnly() throws {
        let result = try verify(inVictim { $0[120] ^= 4 })
        #expect(kinds(result) == [.damagedPages])
        #expect(result.openedPageCount == result.pageCount)
    }

    @Test func aMissingSegmentIsAGap() throws {
        let result = try verify(leavingOut: { $0 == victim.ordinal })
        let gap = try #require(result.findings.first { $0.severity == .gap })
        #expect(gap.kind == .overwritten(count: 1))
        #expect(kinds(result).count == 1)
        #expect(gap.lostEntryCount ?? 0 > 0)
        #expect(!gap.isAtLeast)
    }

    // MARK: Forgery

    @Test(arguments: [true, false])
    func aPageThatWasCutOutIsMissed(withKey: Bool) throws {
        let place = pages[pages.count / 2]
        let result = try verify(
            withKey: withKey,
            inVictim { bytes in
                bytes.replaceSubrange(place.range, with: repeatElement(0xff, count: place.byteCount))
            })
        #expect(kinds(result) == [.pagesMissing])
        #expect(result.findings.first { $0.kind == .pagesMissing }?.lostEntryCount ?? 0 > 0)
    }

    /// On a medium with overwritable blocks, a page of the previous round means that nothing was written
    /// there since.
    @Test(arguments: [true, false])
    func anOldPageInPlaceOfANewOneIsMissed(withKey: Bool) throws {
        let segmentCount = 4
        let board = try SealedBoard(segmentCount: segmentCount, unitByteCount: 1_024)
        var earlier: [UInt32: [UInt8]] = [:]
        for boot in 1...5 as ClosedRange<UInt64> {
            try board.run(
                boot: boot, sealedFor: ownerKey.publicHalf,
                entries: TestLog.entries(boot: boot, trackCount: Self.trackCount))
            for part in board.segments where part.isComplete { earlier[part.ordinal] = part.bytes }
        }
        let victim = try #require(
            board.segments.dropFirst().first {
                $0.isComplete && earlier[$0.ordinal - UInt32(segmentCount)] != nil
            })
        let old = try #require(earlier[victim.ordinal - UInt32(segmentCount)])
        let block = 3 * 1_024..<4 * 1_024
        try board.fetch(into: archive) { ordinal, bytes in
            if ordinal == victim.ordinal { bytes.replaceSubrange(block, with: old[block]) }
        }
        let result = try archive.verify(board.identity, keys: withKey ? ownerKey.ownerKey : .none)
        #expect(kinds(result).contains(.pagesMissing), "\(result.findings)")
        #expect(kinds(result, from: .damage) == [.pagesMissing])
    }

    /// The exchanged pages get valid checksums.
    @Test(arguments: [true, false])
    func pagesThatWereExchangedAreOutOfPlace(withKey: Bool) throws {
        let all = pages.dropFirst(3)
        let (one, other) = try #require(
            all.lazy.compactMap { one in
                all.last { $0.byteCount == one.byteCount && $0.byteOffset > one.byteOffset }.map { (one, $0) }
            }.first)
        let result = try verify(
            withKey: withKey,
            inVictim { bytes in
                let first = Array(bytes[one.range])
                let second = Array(bytes[other.range])
                PageForge.change(&bytes, at: one, ordinal: victim.ordinal) { $0 = second }
                PageForge.change(&bytes, at: other, ordinal: victim.ordinal) { $0 = first }
            })
        #expect(result.severity == .forgery)
        #expect(kinds(result).contains(.outOfPlace), "\(result.findings)")
        #expect(kinds(result).contains(.forgedPages) == withKey)
    }

    @Test(arguments: [true, false])
    func aPageReplayedFromAnotherBoardIsOutOfPlace(withKey: Bool) throws {
        let other = try SealedBoard(firstIdentityByte: 77)
        for boot in 1...3 as ClosedRange<UInt64> {
            try other.run(
                boot: boot, sealedFor: ownerKey.publicHalf,
                entries: TestLog.entries(boot: boot, trackCount: Self.trackCount))
        }
        let theirs = other.segments[victimIndex]
        let place = try #require(
            pages.dropFirst(4).first { mine in
                PageForge.pages(of: theirs.bytes, ordinal: theirs.ordinal, geometry).contains {
                    $0.byteOffset == mine.byteOffset && $0.byteCount == mine.byteCount
                }
            })
        let result = try verify(
            withKey: withKey, inVictim { $0.replaceSubrange(place.range, with: theirs.bytes[place.range]) })
        #expect(kinds(result).contains(.outOfPlace), "\(result.findings)")
        #expect(kinds(result).contains(.pagesMissing), "\(result.findings)")
    }

    @Test func aSegmentOfAnotherBoardIsForeign() throws {
        let other = try SealedBoard(firstIdentityByte: 77)
        for boot in 1...3 as ClosedRange<UInt64> {
            try other.run(
                boot: boot, sealedFor: ownerKey.publicHalf,
                entries: TestLog.entries(boot: boot, trackCount: Self.trackCount))
        }
        let result = try verify(inVictim { $0 = other.segments[victimIndex].bytes })
        #expect(kinds(result).contains(.foreign))
        #expect(result.severity == .forgery)
    }

    /// A forger creates pages encrypted for the right owner key, but signed with a key that is not the
    /// board's.
    @Test(arguments: [true, false])
    func anOpeningThatTheBoardHasNotSignedIsForged(withKey: Bool) throws {
        let forger = try SealedBoard(firstIdentityByte: board.firstIdentityByte)
        for boot in 1...3 as ClosedRange<UInt64> {
            try forger.run(
                boot: boot, sealedFor: ownerKey.publicHalf,
                entries: TestLog.entries(boot: boot, trackCount: Self.trackCount))
        }
        let result = try verify(withKey: withKey, inVictim { $0 = forger.segments[victimIndex].bytes })
        #expect(kinds(result).contains(.forgedHeaders), "\(result.findings)")
        #expect(result.severity == .forgery)
    }

    @Test func aPageWithAnEntryChangedIsForged() throws {
        let place = pages[pages.count / 2]
        let result = try verify(
            inVictim { bytes in
                PageForge.change(&bytes, at: place, ordinal: victim.ordinal) { $0[$0.count - 30] ^= 1 }
            })
        #expect(kinds(result).contains(.forgedPages))
    }

    /// Segments are counted arithmetically; a loop over them would take minutes.
    @Test(arguments: [true, false])
    func aMadeUpOrdinalFarAwayIsAGapLikeAnother(isOnlySegment: Bool) throws {
        let far: UInt32 = 4_000_000_000
        try board.fetch(into: archive, leavingOut: { _ in isOnlySegment })
        let place = try #require(pages.last)
        var bytes = victim.bytes
        PageForge.change(&bytes, at: place, ordinal: far) { page in
            for index in 8..<24 { page[index] = 0x5a }
        }
        try archive.append(bytes, at: 0, segment: far, of: board.identity)
        let last = try #require(board.segments.last)
        let missing = Int(far) - (isOnlySegment ? 0 : Int(last.ordinal) + 1)
        #expect(try kinds(archive.verify(board.identity)).contains(.overwritten(count: missing)))

        var head = board.head
        head.position.segmentOrdinal = far
        try archive.record(manifest(head), of: board.identity)
        #expect(try kinds(archive.verify(board.identity)).contains(.segmentsMissing(count: missing)))
    }

    // MARK: A lost key file

    private var newKeyFinding: LogFinding.Kind { .keyChanged(board.key.publicHalf.fingerprint) }

    /// Continues the board's log with a new key in another boot.
    private func loseKeyAndRun(boot: UInt64) throws {
        try board.loseKey()
        try board.run(
            boot: boot, sealedFor: ownerKey.publicHalf,
            entries: TestLog.entries(boot: boot, trackCount: Self.trackCount))
    }

    @Test func eachPartOfALogIsCheckedWithTheKeyOfItsTime() throws {
        try board.fetch(into: archive)
        let end = try #require(board.segments.last).ordinal
        try loseKeyAndRun(boot: 4)
        let result = try verify()
        #expect(kinds(result).isEmpty, "\(result.findings)")
        let change = try #require(result.findings.first { $0.kind == newKeyFinding })
        #expect(change.position?.segmentOrdinal ?? 0 >= end)
        #expect(change.severity == .note)
    }

    @Test func whatAKeySignsForWhichNobodyHasVouchedIsForgedAndWhyIsSaid() throws {
        try board.fetch(into: archive)
        let known = try #require(try archive.keys(of: board.identity))
        try loseKeyAndRun(boot: 4)
        for segment in board.segments {
            try archive.append(segment.bytes, at: 0, segment: segment.ordinal, of: board.identity)
        }
        try archive.record(board.shownKey(isVouched: false), of: board.identity)
        let result = try archive.verify(board.identity)
        #expect(kinds(result).contains(.forgedHeaders))
        #expect(kinds(result).allSatisfy { $0 == .forgedHeaders })
        #expect(result.findings.map(\.kind).contains(.keyNotVouched(board.key.publicHalf.fingerprint)))
        #expect(try archive.keys(of: board.identity) == known)
    }

    /// The situation after somebody restored an older key file.
    @Test func aKeyThatIsOverSignsNothingAnyMore() throws {
        let first = board.shownKey(isVouched: true)
        try board.fetch(into: archive)
        try loseKeyAndRun(boot: 4)
        let second = board.shownKey(isVouched: true)
        let other = try Archive(inMemoryNamed: "other way round")
        try board.fetch(into: other)
        try other.record(first, of: board.identity)
        #expect(try kinds(other.verify(board.identity)).contains(.forgedHeaders))
        try archive.record(second, of: board.identity)
        #expect(try kinds(verify()).isEmpty)
    }

    @Test func aManifestByTheKeyOfItsTimeHolds() throws {
        let before = try manifest(board.head)
        try board.fetch(into: archive)
        try loseKeyAndRun(boot: 4)
        let result = try verify([before, manifest(board.head)])
        #expect(kinds(result).isEmpty)
        #expect(result.manifestCount == 2)
    }

    // MARK: Manifests

    /// The manifest that the board would sign with this end of its log.
    private func manifest(_ head: LogHead, oldest: UInt32 = 0, by key: TestKey? = nil) throws
        -> StoredManifest
    {
        let key = key ?? board.key
        var statement = LogStatement()
        statement.logIdentity = Bytes<16>(board.identity.bytes.span) ?? Bytes()
        statement.oldestSegmentOrdinal = oldest
        statement.head = SyncPosition(
            segmentOrdinal: head.position.segmentOrdinal, byteOffset: head.position.byteOffset)
        statement.chainValue = head.chainValue
        let bytes = [UInt8](copying: statement.encoded.span)
        var signer = try P256PrivateKey(scalar: key.scalar, entropy: .system)
        return StoredManifest(
            statement: bytes,
            signature: try signer.sign(digest: LogStatement.digest(of: bytes.span), entropy: .system),
            boardKey: key.publicHalf.x963, receivedAt: noon)
    }

    private func verify(_ manifests: [StoredManifest], leavingOut: (UInt32) -> Bool = { _ in false }) throws
        -> LogVerification
    {
        try board.fetch(into: archive, leavingOut: leavingOut)
        for manifest in manifests { try archive.record(manifest, of: board.identity) }
        return try archive.verify(board.identity)
    }

    @Test func aManifestVouchesForTheLogUpToItsEnd() throws {
        let result = try verify([manifest(board.head)])
        #expect(result.findings.map(\.kind) == [.locked])
        #expect(result.signedThrough == board.head.position)
        #expect(result.manifestCount == 1)
    }

    /// The older manifest is valid, but it does not cover later pages, so they are reported as unsigned.
    @Test func aManifestOfAnEarlierStateLeavesTheRestUnsigned() throws {
        let older = board.head
        try board.run(
            boot: 4, sealedFor: ownerKey.publicHalf, entries: TestLog.entries(boot: 4, trackCount: 2))
        let result = try verify([manifest(older)])
        #expect(result.isSound)
        #expect(result.signedThrough == older.position)
        #expect(result.findings.map(\.kind).contains(.unsignedEnd))
    }

    @Test func aLogThatEndsBeforeItsManifestSaysIsCutOff() throws {
        let signed = board.head
        let last = try #require(board.segments.last)
        let result = try verify([manifest(signed)], leavingOut: { $0 == last.ordinal })
        #expect(kinds(result) == [.endMissing(signed.position)])
    }

    @Test func anotherEndThanTheOneSignedIsFound() throws {
        var head = board.head
        head.chainValue[3] ^= 1
        let result = try verify([manifest(head)])
        #expect(kinds(result) == [.notAsSigned(head.position)])
    }

    @Test func aManifestByAnotherKeyIsForged() throws {
        let result = try verify([manifest(board.head, by: TestKey())])
        #expect(kinds(result) == [.forgedManifest])
        #expect(result.manifestCount == 0)
    }

    @Test func aSegmentThatTheBoardStillHadIsNotOverwritten() throws {
        let result = try verify([manifest(board.head)], leavingOut: { $0 == victim.ordinal })
        #expect(kinds(result) == [.segmentsMissing(count: 1)])
        // A later manifest shows that the segment may have been overwritten since.
        var later = board.head
        later.position = .start
        try archive.record(manifest(later, oldest: victim.ordinal + 1), of: board.identity)
        #expect(try kinds(archive.verify(board.identity)) == [.overwritten(count: 1)])
    }
}
