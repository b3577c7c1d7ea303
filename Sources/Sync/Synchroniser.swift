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

    private let client: BoardClient
    private let archive: Archive
    private let options: Options
    private let shouldStop: () -> Bool
    private let report: (SyncProgress) -> Void

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
        try noteOldest(of: index, from: first)
        summary.acknowledgement = try acknowledge(manifest, index, summary)
        summary.decoded = try storing { () throws(ArchiveError) in
            try archive.decodePages(of: board, keys: options.ownerKeys)
        }
        summary.duplicateIdentities = try storing { () throws(ArchiveError) in
            try archive.recordSync(of: board, at: client.clock.wallClock)
            return try archive.labelsOfNamesakes(of: board)
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
    private func noteOldest(of index: BoardIndex, from first: UInt32) throws(SyncError) {
        guard let oldest = index.segments.first?.ordinal, oldest > first else { return }
        try storing { () throws(ArchiveError) in
            try archive.note(oldestSegment: oldest, of: index.board, boot: index.bootIdentifier)
        }
    }

    // MARK: Acknowledgement

    /// Acknowledges the part of the log that is on disk here, whose hashes match, and whose end matches the
    /// manifest.
    private func acknowledge(
        _ manifest: Result<ManifestReader.Manifest, ManifestReader.Withheld>, _ index: BoardIndex,
        _ summary: SyncSummary
    ) throws(SyncError) -> Acknowledgement {
        guard options.acknowledges else { return .withheld(.notWanted) }
        let statement: LogStatement
        switch manifest {
        case .failure(let withheld): return .withheld(withheld.reason)
        case .success(let manifest):
            statement = manifest.statement
            guard options.operatorKey != nil || !manifest.wantsSignatures else {
                return .withheld(.noOperatorKey)
            }
        }
        guard let position = try safePosition(statement, index, summary) else { return .withheld(.differs) }
        guard position > statement.acknowledgedThrough else {
            return .doneBefore(statement.acknowledgedThrough)
        }
        guard !shouldStop() else { throw .stopped }
        do throws(LinkError) {
            try client.acknowledge(position)
        } catch {
            if case .refused(_, let refusal) = error { return .withheld(.refused(refusal)) }
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
                milliseconds: client.clock.wallClock.milliseconds,
                errorMilliseconds: UInt32(clamping: (2 * anchor.error).milliseconds))
        }
        return WallClockSetting(
            milliseconds: anchor.wallClock.milliseconds,
            errorMilliseconds: UInt32(clamping: anchor.error.milliseconds),
            moment: BoardMoment(bootIdentifier: reading.boot, milliseconds: anchor.instant.milliseconds))
    }

    // MARK: Segments

    private func fetch(_ index: BoardIndex, into summary: inout SyncSummary) throws(SyncError) {
        let stored = try storing { () throws(ArchiveError) in try archive.segments(of: index.board) }
        let kept = try storing { () throws(ArchiveError) in
            try archive.forgottenPart(of: index.board)?.beforeOrdinal ?? 0
        }
        let known = Dictionary(stored.map { ($0.ordinal, $0) }, uniquingKeysWith: { first, _ in first })
        var progress = SyncProgress(board: index.board)
        let segments = index.segments.filter { $0.ordinal >= kept }
        progress.totalByteCount = segments.reduce(0) { sum, segment in
            sum + max(0, Int(segment.byteCount) - (known[segment.ordinal]?.byteCount ?? 0))
        }
        report(progress)
        for segment in segments {
            let before = known[segment.ordinal]
            if before?.isVerified == true, before?.byteCount == Int(segment.byteCount) { continue }
            try fetch(segment, of: index.board, before, &summary, &progress)
        }
        // The ring may have overwritten the unfetched end of the log.
        if let newest = stored.last, let oldest = index.segments.first, oldest.ordinal > newest.ordinal &+ 1 {
            summary.missedSegmentCount += Int(oldest.ordinal - newest.ordinal) - 1
        }
    }

    private func fetch(
        _ segment: SyncIndexSegment, of board: LogIdentity, _ stored: StoredSegment?,
        _ summary: inout SyncSummary, _ progress: inout SyncProgress
    ) throws(SyncError) {
        let end = Int(segment.byteCount)
        // The prefix with deliberately removed entries is not fetched again; its hash was compared when it
        // arrived.
        let start = stored?.changedByteCount ?? 0
        progress.segment = segment.ordinal
        var isSame = false
        var offset = stored?.byteCount ?? 0
        // A segment that differs from the board's is fetched again once. If it differs again, the board's
        // data is inconsistent.
        for isSecond in [false, true] where !isSame {
            if isSecond || offset > end {
                try storing { () throws(ArchiveError) in
                    try archive.discard(segment: segment.ordinal, of: board)
                }
                summary.refetchedSegmentCount += 1
                progress.totalByteCount += max(0, end - start)
                offset = start
            }
            let isThere = try download(segment.ordinal, of: board, from: offset, to: end, &summary, &progress)
            guard isThere else {
                summary.missedSegmentCount += 1
                return
            }
            offset = end
            guard let verdict = try compare(segment, of: board, from: start) else {
                return try close(segment, of: board, isVerified: false)
            }
            isSame = verdict
        }
        guard isSame else {
            summary.differingSegments.append(segment.ordinal)
            return
        }
        summary.verifiedSegmentCount += segment.isOpen ? 0 : 1
        try close(segment, of: board, isVerified: true)
    }

    private func close(
        _ segment: SyncIndexSegment, of board: LogIdentity, isVerified: Bool
    ) throws(SyncError) {
        guard !segment.isOpen else { return }
        try storing { () throws(ArchiveError) in
            try archive.markComplete(segment: segment.ordinal, of: board, isVerified: isVerified)
        }
    }

    /// Returns false if the board has overwritten the segment meanwhile.
    private func download(
        _ ordinal: UInt32, of board: LogIdentity, from start: Int, to end: Int, _ summary: inout SyncSummary,
        _ progress: inout SyncProgress
    ) throws(SyncError) -> Bool {
        var store = PieceStore(archive: archive, board: board, segment: ordinal, offset: start)
        do throws(SyncError) {
            while store.endOffset < end {
                guard !shouldStop() else { throw .stopped }
                guard let piece = try piece(of: ordinal, at: store.endOffset, end: end) else { break }
                try storing { () throws(ArchiveError) in
                    try store.append(piece, now: client.channel.now)
                }
                summary.fetchedByteCount += piece.count
                progress.fetchedByteCount += piece.count
                report(progress)
            }
        } catch {
            // The pieces that arrived before the disconnection are kept.
            if case .link = error { try? store.flush() }
            if case .stopped = error { try? store.flush() }
            throw error
        }
        try storing { () throws(ArchiveError) in try store.flush() }
        return store.endOffset >= end
    }

    /// Returns a piece of a segment, and requests the next one ahead; nil if the board has none.
    private func piece(of ordinal: UInt32, at offset: Int, end: Int) throws(SyncError) -> [UInt8]? {
        let chunk: BoardClient.Chunk
        do throws(LinkError) {
            chunk = try client.chunk(of: .segment(ordinal), at: UInt64(offset))
        } catch {
            if case .refused(_, .fileNotFound) = error { return nil }
            throw .link(error)
        }
        // Never stores more than the index lists; data committed since then comes with the next run.
        let bytes = Array(chunk.bytes.prefix(end - offset))
        guard !bytes.isEmpty else { return nil }
        let next = offset + bytes.count
        if next < end { client.requestChunk(of: .segment(ordinal), at: UInt64(next)) }
        return bytes
    }

    /// True if our bytes of the segment match the board's, from `start` on; nil if the board cannot compute
    /// its hash.
    private func compare(
        _ segment: SyncIndexSegment, of board: LogIdentity, from start: Int
    ) throws(SyncError) -> Bool? {
        guard !shouldStop() else { throw .stopped }
        guard start < Int(segment.byteCount) else { return start == Int(segment.byteCount) }
        let digest: Bytes<32>?
        do throws(LinkError) {
            digest = try client.digest(
                of: .segment(segment.ordinal), from: UInt64(start),
                byteCount: UInt64(segment.byteCount) - UInt64(start))
        } catch {
            if case .refused = error { return nil }
            throw .link(error)
        }
        guard let digest else { return nil }
        let bytes = try storing { () throws(ArchiveError) in
            try archive.bytes(ofSegment: segment.ordinal, of: board)
        }
        return bytes.count >= start && SHA256.digest(of: bytes.span.extracting(start...)) == digest
    }

    // MARK: Errors

    private func asking<Answer>(_ question: () throws(LinkError) -> Answer) throws(SyncError) -> Answer {
        do throws(LinkError) { return try question() } catch { throw .link(error) }
    }

    private func storing<Answer>(_ work: () throws(ArchiveError) -> Answer) throws(SyncError) -> Answer {
        do throws(ArchiveError) { return try work() } catch { throw .archive(error) }
    }
}

extension Archive {
    fileprivate func labelsOfNamesakes(of board: LogIdentity) throws(ArchiveError) -> [String] {
        var labels: [String] = []
        for duplicateIdentity in try duplicateIdentities(of: board) {
            labels.append(try label(of: duplicateIdentity))
        }
        return labels
    }
}
