import Archive
import BoardLink
import Cryptography
import DeviceSync
import FixedMemory
import LogContents

/// Brings an archive up to date with one board: asks only for bytes the archive lacks, oldest first, and keeps
/// what comes at short intervals. Whatever stops it, the next run goes on behind what was kept.
public struct Synchroniser {
    public struct Options: Sendable {
        /// What the operator calls the board.
        public var name: String?
        /// Tell the board the time, so that one without a clock gets an anchor.
        public var setsClock = true
        /// Tell the board what is safe with us, so that it may forget that.
        public var acknowledges = true
        /// Signs both, where the board wants it signed. Whoever has none fetches all the same.
        public var operatorKey: OperatorKey?
        /// Open what comes sealed for them. Whoever has none stores it closed.
        public var openingKeys = OpeningKeys.none

        public init() {}

        /// Fetches, and tells the board nothing.
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

    /// `shouldStop` is asked before each request, and `report` called after each piece that was stored.
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
        summary.clockErrorMilliseconds = try synchroniseClock(of: board)
        // Before what is fetched: that reaches at least as far.
        let manifest = try ManifestReader(client: client, archive: archive).read(of: board)

        // Entries that were waiting may have been committed on hearing the time.
        let current = try asking { () throws(LinkError) in try client.index(from: first) }
        do throws(SyncError) {
            try fetch(current.board == board ? current : index, into: &summary)
        } catch {
            // What did arrive is worth decoding, whatever happened after it.
            _ = try? archive.decodePages(of: board, keys: options.openingKeys)
            throw error
        }
        try noteOldest(of: index, from: first)
        summary.acknowledgement = try acknowledge(manifest, index, summary)
        summary.decoded = try storing { () throws(ArchiveError) in
            try archive.decodePages(of: board, keys: options.openingKeys)
        }
        summary.namesakes = try storing { () throws(ArchiveError) in
            try archive.recordSync(
                of: board, wallClockMilliseconds: client.clock.wallClockMicroseconds() / 1_000)
            return try archive.labelsOfNamesakes(of: board)
        }
        return summary
    }

    // MARK: Where to begin

    /// All before it is here for good, or gone: a long log's index is long. 0 when the board cannot say which log it has.
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

    /// What was asked for and is not in the index will not be there the next time either.
    private func noteOldest(of index: BoardIndex, from first: UInt32) throws(SyncError) {
        guard let oldest = index.segments.first?.ordinal, oldest > first else { return }
        try storing { () throws(ArchiveError) in
            try archive.note(oldestSegment: oldest, of: index.board, boot: index.bootIdentifier)
        }
    }

    // MARK: What is safe here

    /// Tells the board how much of its log is on our disk, compared with its own, and ends as it says that it does.
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

    /// All before it is on our disk, or gone from the board before it could be fetched. Nil when what was fetched is not
    /// what the board says that it has.
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

    /// Notes where the board's monotonic clock stands on ours, and tells it the time. Returns the error; nil when the
    /// board does not have these commands or this computer's own clock was never set.
    private func synchroniseClock(of board: LogIdentity) throws(SyncError) -> Int64? {
        let reading = try asking { () throws(LinkError) in try ClockReader(client: client).read() }
        guard let reading else { return nil }
        let anchor = reading.anchor
        try storing { () throws(ArchiveError) in
            try archive.record(anchor, boot: reading.boot, of: board)
        }
        guard options.setsClock else { return anchor.errorMilliseconds }
        do throws(LinkError) {
            try client.setClock(setting(reading))
        } catch {
            // A board that may not set its clock still gave the reading above.
            guard case .refused = error else { throw .link(error) }
        }
        return anchor.errorMilliseconds
    }

    /// With the moment that it belongs to it may reach the board late, or twice. Without, it is what our clock says now,
    /// give or take as long as an exchange took.
    private func setting(_ reading: ClockReader.Reading) -> WallClockSetting {
        let anchor = reading.anchor
        guard reading.canTellMoment else {
            return WallClockSetting(
                milliseconds: UInt64(clamping: client.clock.wallClockMicroseconds() / 1_000),
                errorMilliseconds: UInt32(clamping: 2 * anchor.errorMilliseconds))
        }
        return WallClockSetting(
            milliseconds: UInt64(clamping: anchor.wallClockMilliseconds),
            errorMilliseconds: UInt32(clamping: anchor.errorMilliseconds),
            moment: BoardMoment(
                bootIdentifier: reading.boot, milliseconds: UInt64(clamping: anchor.monotonicMilliseconds)))
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
        // The ring may have overwritten the end of what was never fetched.
        if let newest = stored.last, let oldest = index.segments.first, oldest.ordinal > newest.ordinal &+ 1 {
            summary.missedSegmentCount += Int(oldest.ordinal - newest.ordinal) - 1
        }
    }

    private func fetch(
        _ segment: SyncIndexSegment, of board: LogIdentity, _ stored: StoredSegment?,
        _ summary: inout SyncSummary, _ progress: inout SyncProgress
    ) throws(SyncError) {
        let end = Int(segment.byteCount)
        // What was forgotten before it is not fetched again, and was compared when it came.
        let start = stored?.changedByteCount ?? 0
        progress.segment = segment.ordinal
        var isSame = false
        var offset = stored?.byteCount ?? 0
        // A segment that differs from the board's is fetched anew, once: then it is the board that is at odds.
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
            try archive.close(segment: segment.ordinal, of: board, isVerified: isVerified)
        }
    }

    /// False when the board has overwritten the segment in the meantime.
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
                    try store.append(piece, nowMilliseconds: client.channel.monotonicMilliseconds)
                }
                summary.fetchedByteCount += piece.count
                progress.fetchedByteCount += piece.count
                report(progress)
            }
        } catch {
            // What came before the cable was pulled is kept.
            if case .link = error { try? store.flush() }
            if case .stopped = error { try? store.flush() }
            throw error
        }
        try storing { () throws(ArchiveError) in try store.flush() }
        return store.endOffset >= end
    }

    /// A piece of a segment, with the next one on its way already; nil when the board has none.
    private func piece(of ordinal: UInt32, at offset: Int, end: Int) throws(SyncError) -> [UInt8]? {
        let chunk: BoardClient.Chunk
        do throws(LinkError) {
            chunk = try client.chunk(of: .segment(ordinal), at: UInt64(offset))
        } catch {
            if case .refused(_, .fileNotFound) = error { return nil }
            throw .link(error)
        }
        // No more than the index promised: what has been committed since comes with the next run.
        let bytes = Array(chunk.bytes.prefix(end - offset))
        guard !bytes.isEmpty else { return nil }
        let next = offset + bytes.count
        if next < end { client.requestChunk(of: .segment(ordinal), at: UInt64(next)) }
        return bytes
    }

    /// Whether our bytes of the segment are the board's, from a byte on; nil when it cannot say.
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
        for namesake in try namesakes(of: board) { labels.append(try label(of: namesake)) }
        return labels
    }
}
