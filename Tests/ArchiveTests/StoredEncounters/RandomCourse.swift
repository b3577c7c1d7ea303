import EncounterLog
import FixedMemory
import FlashSimulator
import LogContents
import TestSupport

@testable import Archive

/// A board and its archive, to which random things happen: boots, fetches of a part, late keys, clock
/// samples, a copied card, and forgetting.
final class RandomCourse {
    enum Step: CaseIterable { case run, fetch, fetchPart, open, clock, fork, forget, redact }

    let archive: Archive
    /// The board's owner changed keys, so pages of one segment may open at different times.
    private let ownerKeys: [TestKey]
    private let board: SealedBoard
    /// The identities that the board serves.
    private let served: [Identity]
    private var copy: SealedBoard?
    private var generator: SeededGenerator
    private var bootCount: UInt64 = 0
    /// The wall time of each boot's monotonic zero, and how long it ran.
    private var boots: [(identifier: UInt64, start: WallClockTime, end: Instant)] = []
    private var now = noon

    /// - Parameters:
    ///   - archive: an archive with other boards; nil for a new one.
    ///   - firstIdentityByte: distinguishes boards.
    init(
        seed: UInt64, in archive: Archive? = nil, firstIdentityByte: UInt8 = 1,
        serving served: [Identity] = []
    ) throws {
        generator = SeededGenerator(seed: seed)
        self.archive = try archive ?? Archive(inMemoryNamed: "course")
        self.served = served
        ownerKeys = [try TestKey(), try TestKey()]
        board = try SealedBoard(firstIdentityByte: firstIdentityByte)
        let geometry = board.medium.geometry
        try self.archive.register(
            board.identity, blockByteCount: geometry.blockByteCount, unitByteCount: geometry.unitByteCount)
        try self.archive.record(board.shownKey(isVouched: true), of: board.identity)
    }

    var identity: LogIdentity { board.identity }

    var scalars: [Bytes<32>] { ownerKeys.map(\.scalar) }

    var allKeys: OwnerKeys { get throws { try OwnerKeys(scalars: scalars) } }

    /// Some of the owner's keys.
    private func someKeys() throws -> OwnerKeys {
        try OwnerKeys(scalars: ownerKeys.map(\.scalar).filter { _ in Bool.random(using: &generator) })
    }

    /// One step at random; the first is a boot.
    func advance() throws -> Step {
        let common: [Step] = [.run, .run, .fetch, .fetchPart, .open, .clock]
        let step =
            boots.isEmpty ? .run : (common + Step.allCases).randomElement(using: &generator) ?? .run
        switch step {
        case .run: try run(board)
        case .fetch:
            try fetch(board, branch: LogBranch.main, upTo: board.segments.count)
            if let copy { try fetch(copy, branch: 1, upTo: copy.segments.count) }
        case .fetchPart:
            try fetch(
                board, branch: LogBranch.main, upTo: .random(in: 0...board.segments.count, using: &generator))
        case .open: try archive.decodePages(of: identity, keys: someKeys())
        case .clock: try readClock()
        case .fork: try copyCard()
        case .forget: try forget()
        case .redact: try redact()
        }
        return step
    }

    /// Fetches and opens what is left.
    func finish() throws {
        try fetch(board, branch: LogBranch.main, upTo: board.segments.count)
        if let copy { try fetch(copy, branch: 1, upTo: copy.segments.count) }
        try archive.decodePages(of: identity, keys: allKeys)
    }

    private func run(_ board: SealedBoard) throws {
        bootCount += 1
        now = now + .seconds(.random(in: 1...600, using: &generator))
        let random = RandomEntries(boot: bootCount, from: now, serving: served, &generator)
        let ownerKey = Bool.random(using: &generator) ? ownerKeys.randomElement(using: &generator) : nil
        try board.run(
            boot: bootCount, sealedFor: ownerKey?.publicHalf, entries: random.entries,
            commitsEach: Bool.random(using: &generator))
        boots.append((bootCount, now, random.end))
        now = now + .milliseconds(random.end.milliseconds)
    }

    private func fetch(_ board: SealedBoard, branch: Int, upTo count: Int) throws {
        let kept = try archive.firstKeptOrdinal(of: identity)
        var last: FetchedSegment?
        for segment in board.segments.prefix(count)
        where segment.ordinal >= kept && (branch == LogBranch.main || segment.ordinal >= forkOrdinal) {
            let stored = try archive.bytes(ofSegment: segment.ordinal, of: identity, branch: branch)
            guard stored.count < segment.bytes.count else { continue }
            try archive.append(
                segment.bytes, at: 0, segment: segment.ordinal, of: identity, branch: branch)
            last = segment
        }
        if count == board.segments.count {
            try archive.record(
                StoredManifest(board.head, oldest: 0, of: identity, by: board.key), of: identity)
        } else if let last, let head = head(of: last) {
            try archive.record(StoredManifest(head, oldest: 0, of: identity, by: board.key), of: identity)
        }
        try archive.record(currentBranch: branch, of: identity)
        try archive.decodePages(of: identity, keys: someKeys())
    }

    private func head(of segment: FetchedSegment) -> LogHead? {
        SegmentContents(
            segment.bytes, ordinal: segment.ordinal, unitByteCount: board.medium.geometry.unitByteCount,
            blockByteCount: board.medium.geometry.blockByteCount
        ).pages.compactMap(\.head).last
    }

    private func readClock() throws {
        guard let boot = boots.randomElement(using: &generator) else { return }
        let elapsed = UInt64.random(in: 500...max(501, boot.end.milliseconds), using: &generator)
        try archive.record(
            Anchor(
                instant: Instant(milliseconds: elapsed), wallClock: boot.start + .milliseconds(elapsed),
                error: .milliseconds(.random(in: 5...5_000, using: &generator)), source: .host),
            boot: boot.identifier, of: identity)
    }

    // MARK: A copied card

    private var forkOrdinal: UInt32 = 0

    /// From now on a second board records on a copy of the card, and the archive fetches from both.
    private func copyCard() throws {
        guard copy == nil, let last = board.segments.last else { return }
        let copy = SealedBoard(copying: board)
        try run(copy)
        try run(board)
        try fetch(board, branch: LogBranch.main, upTo: board.segments.count)
        forkOrdinal = last.ordinal
        let branch = try archive.addBranch(of: identity, from: LogBranch.main, at: last.ordinal, foundAt: now)
        try fetch(copy, branch: branch, upTo: copy.segments.count)
        self.copy = copy
    }

    // MARK: Forgetting

    private func forget() throws {
        let before = noon + now.interval(since: noon) / UInt64.random(in: 1...4, using: &generator)
        guard let plan = try archive.forgettingPlan(of: identity, before: before) else { return }
        try archive.forget(plan, keys: allKeys, now: now)
    }

    private func redact() throws {
        guard let peer = RandomEntries.peers.randomElement(using: &generator) else { return }
        let plan = try archive.redactionPlan(
            of: identity, forgetting: peer, keys: allKeys, now: now)
        try archive.redact(plan, keys: allKeys)
    }
}
