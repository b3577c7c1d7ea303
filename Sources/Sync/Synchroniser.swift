import Archive
import BoardLink
import Cryptography
import DeviceSync
import FixedMemory
import LogContents

/// Brings an archive up to date with one board. It requests only bytes that the archive lacks, oldest first,
/// and stores them at short intervals. After an interruption, the next run continues after the stored bytes.
public struct Synchroniser {
    public struct Options: Sendable {
        /// The name that the operator gives the board.
        public var name: String?
        /// Sends the time to the board, so that a board without a clock gets an anchor.
        public var setsClock = true
        /// Acknowledges the stored part of the log, so that the board may erase it.
        public var acknowledges = true
        /// Signs both commands if the board requires signatures. Fetching works without it.
        public var operatorKey: OperatorKey?
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
        _ = try asking { () throws(LinkError) in try client.echo() }
        let first = try firstWantedSegment()
        let index = try asking { () throws(LinkError) in try client.index(from: first) }
        let board = index.board
        try storing { () throws(ArchiveError) in
            try archive.register(
                board, blockByteCount: index.blockByteCount,
                unitByteCount: index.unitByteCount, name: options.name)
        }
        var summary = SyncSummary(board: board)
        summary.clockError = try synchroniseClock(of: board)
        // The manifest is read before the segments, so the fetched log reaches at least as far as the
        // manifest.
        let manifest = try ManifestReader(client: client, archive: archive).read(of: board)

        // Setting the clock may have made the board commit waiting entries.
        let current = try asking { () throws(LinkError) in try client.index(from: first) }
        do throws(SyncError) {
            try fetch(current.board == board ? current : index, into: &summary)
        } catch {
            // The pieces that did arrive are decoded in any case.
            _ = try? archive.decodePages(of: board, keys: options.ownerKeys)
            throw error
        }
        try recordOldest(of: index, from: first)
        summary.acknowledgement = try acknowledge(manifest, index, summary)
        summary.decoded = try storing { () throws(ArchiveError) in
            try archive.decodePages(of: board, keys: options.ownerKeys)
        }
        summary.duplicateIdentities = try storing { () throws(ArchiveError) in
            try archive.recordSync(of: board, at: client.clock.wallClock)
            return try archive.labelsOfDuplicateIdentities(of: board)
        }
        return summary
    }

    // MARK: The first segment

    /// The first segment to fetch; all earlier ones are complete here or erased. This keeps the index of a
    /// long log short. 0 if the board cannot report its log identity.
    private func firstWantedSegment() throws(SyncError) -> UInt32 {
        let status: BoardStatus
        do throws(LinkError) {
            status = try client.status()
        } catch {
            if case .refused = error { return 0 }
            throw .link(error)
        }
        guard let board = LogIdentity([UInt8](copying: status.logIdentity.span)) else { return 0 }
        return try storing { () throws(ArchiveError) in
            try archive.firstWantedSegment(of: board, boot: status.bootIdentifier)
        }
    }

    /// A requested segment that is missing from the index stays missing in later runs.
    private func recordOldest(of index: BoardIndex, from first: UInt32) throws(SyncError) {
        guard let oldest = index.segments.first?.ordinal, oldest > first else { return }
        try storing { () throws(ArchiveError) in
            try archive.record(oldestSegment: oldest, of: index.board, boot: index.bootIdentifier)
        }
    }

    // MARK: Acknowledgement

    /// Acknowledges the part of the log that is on disk here, whose hashes match, and whose end matches the
    /// manifest.
    private func acknowledge(
        _ manifest: Result<ManifestReader.Manifest, ManifestReader.Withheld>, _ index: BoardIndex,
        _ summary: SyncSummary
    ) throws(SyncError) -> Acknowledgement {
        guard options.acknowledges else { return .skipped(.notWanted) }
        let statement: LogStatement
        switch manifest {
        case .failure(let skipped): return .skipped(skipped.reason)
        case .success(let manifest):
            statement = manifest.statement
            guard options.operatorKey != nil || !manifest.wantsSignatures else {
                return .skipped(.noOperatorKey)
            }
        }
        guard let position = try safePosition(statement, index, summary) else { return .skipped(.differs) }
        guard position > statement.acknowledgedThrough else {
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
        _ statement: LogStatement, _ index: BoardIndex, _ summary: SyncSummary
    ) throws(SyncError) -> SyncPosition? {
        let ordinal = statement.head.segmentOrdinal
        let (wanted, contents) = try storing { () throws(ArchiveError) in
            (
                try archive.firstWantedSegment(of: index.board, boot: index.bootIdentifier),
                try archive.contents(ofSegment: ordinal, of: index.board)
            )
        }
        guard statement.matches(contents), !summary.differingSegments.contains(ordinal) else { return nil }
        return wanted < ordinal ? SyncPosition(segmentOrdinal: wanted) : statement.head
    }

    // MARK: The clock

    /// Records the board's monotonic clock against ours, and sets the board's clock. Returns the error; nil
    /// if the board lacks these commands, or this computer's own clock was never set.
    private func synchroniseClock(of board: LogIdentity) throws(SyncError) -> Interval? {
        let reading = try asking { () throws(LinkError) in try ClockReader(client: client).read() }
        guard let reading else { return nil }
        let anchor = reading.anchor
        try storing { () throws(ArchiveError) in
            try archive.record(anchor, boot: reading.boot, of: board)
        }
        guard options.setsClock else { return anchor.error }
        do throws(LinkError) {
            try client.setClock(setting(reading))
        } catch {
            // A board that refuses to set its clock still gave the clock sample above.
            guard case .refused = error else { throw .link(error) }
        }
        return anchor.error
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

    // MARK: Errors

    func asking<Answer>(_ question: () throws(LinkError) -> Answer) throws(SyncError) -> Answer {
        do throws(LinkError) { return try question() } catch { throw .link(error) }
    }

    func storing<Answer>(_ work: () throws(ArchiveError) -> Answer) throws(SyncError) -> Answer {
        do throws(ArchiveError) { return try work() } catch { throw .archive(error) }
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
