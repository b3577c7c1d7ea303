import Archive
import BoardLink
import Cryptography
import DeviceSync
import FixedMemory
import LogContents

/// Brings an archive up to date with one board. The board proves itself first: nothing is stored, dated,
/// signed or acknowledged before. Then the run requests only bytes that the archive lacks, oldest first, and
/// stores them at short intervals. After an interruption, the next run continues after the stored bytes.
public struct Synchroniser {
    public struct Options: Sendable {
        /// The name that the operator gives the board.
        public var name: String?
        /// The boards and keys that are trusted without a question.
        public var trust = TrustPolicy.none
        /// Sends the time to the board, so that a board without a clock gets an anchor.
        public var setsClock = true
        /// Acknowledges the stored part of the log, so that the board may erase it.
        public var acknowledges = true
        /// Signs both commands if the board requires signatures. Fetching works without it.
        public var operatorKey: OperatorKey?
        /// The most bytes that are fetched at once from a board that nobody has trusted.
        public var untrustedByteLimit = 512 << 20
        /// Decrypt pages encrypted for these owner keys. Pages of other keys stay locked.
        public var ownerKeys = OwnerKeys.none

        public init() {}

        /// Fetches without sending anything to the board.
        public static var readingOnly: Options {
            var options = Options()
            options.setsClock = false
            options.acknowledges = false
            return options
        }
    }

    let client: BoardClient
    let archive: Archive
    let options: Options
    let shouldStop: () -> Bool
    let report: (SyncProgress) -> Void

    /// `shouldStop` is called before each request, and `report` after each stored piece.
    public init(
        client: BoardClient, archive: Archive, options: Options = Options(),
        shouldStop: @escaping () -> Bool = { false }, report: @escaping (SyncProgress) -> Void = { _ in }
    ) {
        if let key = options.operatorKey { client.operatorKey = key }
        self.client = client
        self.archive = archive
        self.options = options
        self.shouldStop = shouldStop
        self.report = report
    }

    public func run() throws(SyncError) -> SyncSummary {
        let start = try start()
        let board = start.board
        var summary = SyncSummary(board)
        var run = SyncRun(
            board: board, branch: try register(start, &summary), segments: start.segments)
        try synchroniseClock(start.reading, of: board, into: &summary)
        do throws(SyncError) {
            try fetch(&run, into: &summary)
        } catch {
            // The pieces that did arrive are decoded in any case.
            _ = try? archive.decodePages(of: board.identity, keys: options.ownerKeys)
            throw error
        }
        if let start = run.uncheckedFrom {
            summary.unchainedSegments = try storing { () throws(ArchiveError) in
                try archive.verifyFetchedPart(
                    of: run.identity, naming: board.claimed, branch: run.branch, from: start,
                    to: board.statement?.logHead, oldest: board.statement?.oldestSegmentOrdinal ?? .max,
                    matches: run.uncheckedSegments)
            }
        }
        summary.acknowledgement = try acknowledge(run, summary)
        summary.decoded = try storing { () throws(ArchiveError) in
            try archive.decodePages(of: board.identity, keys: options.ownerKeys)
        }
        summary.duplicateIdentities = try storing { () throws(ArchiveError) in
            try archive.recordSync(of: board.identity, at: client.clock.wallClock)
            return try archive.labelsOfDuplicateIdentities(of: board.identity)
        }
        summary.isRetired = try storing { () throws(ArchiveError) in
            try archive.isRetired(board.identity)
        }
        try takeName(of: board, start.index)
        return summary
    }

    // MARK: Before anything is stored

    /// The board's proof, and its answers before anything is stored.
    private struct Start {
        let board: ProvenBoard
        let choice: BranchChoice
        let index: BoardIndex
        /// The segments of the index that the proof covers.
        let segments: [SyncIndexSegment]
        let reading: ClockReader.Reading?
    }

    /// Begins anew if the board's agent restarts meanwhile, because its proof names the boot.
    private func start() throws(SyncError) -> Start {
        for _ in 0..<3 {
            do throws(SyncError) { return try attemptStart() } catch {
                guard error == .restarted else { throw error }
            }
        }
        throw .restarted
    }

    private func attemptStart() throws(SyncError) -> Start {
        // The board signs the end of its log before the segments are requested, so the fetched log reaches at
        // least that far.
        let board = try BoardProof(client: client, archive: archive, trust: options.trust).board()
        let choice = try BranchFinder(client: client, archive: archive, board: board).find()
        let index = try index(of: board, choice)
        return Start(
            board: board, choice: choice, index: index, segments: try covered(index, by: board),
            reading: try clockReading(of: board))
    }

    /// The index from the first segment to fetch on; all earlier ones are complete here or erased. This keeps
    /// the index of a long log short.
    private func index(of board: ProvenBoard, _ choice: BranchChoice) throws(SyncError) -> BoardIndex {
        let first = try storing { () throws(ArchiveError) in
            guard let boot = board.bootIdentifier, try archive.contains(board.identity) else {
                return UInt32(0)
            }
            return try archive.firstWantedSegment(of: board.identity, branch: choice.base, boot: boot)
        }
        let index = try asking { () throws(LinkError) in
            try client.index(from: min(first, choice.firstOrdinal ?? first))
        }
        guard index.board == board.claimed else {
            throw .impostor(Impostor(claimed: board.claimed, reason: .contradiction))
        }
        return index
    }

    private func covered(_ index: BoardIndex, by board: ProvenBoard) throws(SyncError) -> [SyncIndexSegment] {
        guard let statement = board.statement else { return index.segments }
        guard index.bootIdentifier == statement.bootIdentifier else { throw .restarted }
        guard let segments = statement.covered(index) else {
            throw .impostor(Impostor(claimed: board.claimed, reason: .contradiction))
        }
        return segments
    }

    /// Nil if the board's clock cannot be read, or this computer's own clock was never set.
    private func clockReading(of board: ProvenBoard) throws(SyncError) -> ClockReader.Reading? {
        let reading = try asking { () throws(LinkError) in try ClockReader(client: client).read() }
        guard let reading, let proof = board.proof else { return reading }
        guard reading.boot == proof.content.bootIdentifier else { throw .restarted }
        guard proof.isPlausible(reading.anchor.instant, now: client.channel.now) else {
            throw .impostor(Impostor(claimed: board.claimed, reason: .contradiction))
        }
        return reading
    }

    /// Stores the board and its proof, and returns the branch into which its log goes.
    private func register(_ start: Start, _ summary: inout SyncSummary) throws(SyncError) -> Int {
        let (board, choice) = (start.board, start.choice)
        let now = client.clock.wallClock
        let branch = try storing { () throws(ArchiveError) in
            try board.register(start.index, name: options.name, in: archive, at: now)
            let branch =
                switch choice {
                case .stored(let branch): branch
                case .new(let parent, let ordinal):
                    try archive.addBranch(of: board.identity, from: parent, at: ordinal, foundAt: now)
                }
            try archive.record(currentBranch: branch, of: board.identity)
            if let statement = board.statement, statement.oldestSegmentOrdinal > 0 {
                try archive.record(
                    oldestSegment: statement.oldestSegmentOrdinal, of: board.identity,
                    boot: statement.bootIdentifier)
            }
            return branch
        }
        if let ordinal = choice.firstOrdinal { summary.branchedSegments.append(ordinal) }
        return branch
    }

    // MARK: Acknowledgement

    /// Acknowledges the part of the log that is on disk here, whose hashes match, whose end matches the
    /// manifest, and whose pages chain to that end.
    private func acknowledge(_ run: SyncRun, _ summary: SyncSummary) throws(SyncError) -> Acknowledgement {
        guard options.acknowledges else { return .skipped(.notWanted) }
        guard run.board.isTrusted else { return .skipped(.untrusted) }
        guard let statement = run.board.statement else { return .skipped(.noManifest) }
        guard options.operatorKey != nil || !run.board.wantsSignatures else {
            return .skipped(.noOperatorKey)
        }
        guard let position = try safePosition(statement, run, summary) else { return .skipped(.differs) }
        guard position > statement.acknowledgedThrough else {
            guard summary.unchainedSegments.isEmpty else { return .skipped(.unchained) }
            return .doneBefore(statement.acknowledgedThrough)
        }
        guard !shouldStop() else { throw .stopped }
        do throws(LinkError) {
            try client.acknowledge(position)
        } catch {
            if case .refused(_, let refusal) = error { return .skipped(.refused(refusal)) }
            throw .link(error)
        }
        return .done(position)
    }

    /// The position up to which everything is on disk here, or was erased on the board before it could be
    /// fetched. Nil if the fetched log differs from the board's statement.
    private func safePosition(
        _ statement: LogStatement, _ run: SyncRun, _ summary: SyncSummary
    ) throws(SyncError) -> SyncPosition? {
        let ordinal = statement.head.segmentOrdinal
        let (stored, contents) = try storing { () throws(ArchiveError) in
            (
                try archive.segments(of: run.identity, branch: run.branch),
                try archive.contents(ofSegment: ordinal, of: run.identity, branch: run.branch)
            )
        }
        guard statement.matches(contents), !summary.differingSegments.contains(ordinal) else { return nil }
        let settled = Set(stored.filter(\.isSettled).map(\.ordinal))
        let wanted = run.segments.first { !settled.contains($0.ordinal) }?.ordinal
        if let unchained = summary.unchainedSegments.first {
            return SyncPosition(segmentOrdinal: min(wanted ?? unchained, unchained))
        }
        guard let wanted, wanted < ordinal else { return statement.head }
        return SyncPosition(segmentOrdinal: wanted)
    }

    // MARK: The clock

    /// Records the board's monotonic clock against ours, and sets the board's clock.
    private func synchroniseClock(
        _ reading: ClockReader.Reading?, of board: ProvenBoard, into summary: inout SyncSummary
    ) throws(SyncError) {
        guard let reading else { return }
        let anchor = reading.anchor
        try storing { () throws(ArchiveError) in
            try archive.record(anchor, boot: reading.boot, of: board.identity)
        }
        summary.clockError = anchor.error
        // Nothing is signed for an untrusted board: the signature could be used at another one.
        guard options.setsClock, board.isTrusted || !board.wantsSignatures else { return }
        do throws(LinkError) {
            try client.setClock(setting(reading))
        } catch {
            // A board that refuses to set its clock still gave the clock sample above.
            guard case .refused(_, let refusal) = error else { throw .link(error) }
            // The acknowledgement states a missing operator key.
            guard refusal != .accessDenied else { return }
            summary.clockRefusal = client.refusalReason ?? refusal.meaning ?? refusal.codeText
        }
    }

    /// The time to set. With its board moment it may arrive late or twice. Without one it is the current time
    /// of our clock, with an error as large as the exchange took.
    private func setting(_ reading: ClockReader.Reading) -> WallClockSetting {
        let anchor = reading.anchor
        guard reading.canTellMoment else {
            return WallClockSetting(
                time: client.clock.wallClock,
                errorMilliseconds: UInt32(clamping: (2 * anchor.error).milliseconds))
        }
        return WallClockSetting(
            time: anchor.wallClock, errorMilliseconds: UInt32(clamping: anchor.error.milliseconds),
            moment: BoardMoment(bootIdentifier: reading.boot, instant: anchor.instant))
    }
}

extension Archive {
    fileprivate func labelsOfDuplicateIdentities(of board: LogIdentity) throws(ArchiveError) -> [String] {
        var labels: [String] = []
        for duplicateIdentity in try duplicateIdentities(of: board) {
            labels.append(try label(of: duplicateIdentity))
        }
        return labels
    }
}
