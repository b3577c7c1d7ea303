import Archive
import BoardLink
import Cryptography
import DeviceSync
import FixedMemory
import LogContents

/// Fetching segments: only bytes that the archive lacks, then the board's hash over them.
extension Synchroniser {
    func fetch(_ run: inout SyncRun, into summary: inout SyncSummary) throws(SyncError) {
        let stored = try storing { () throws(ArchiveError) in
            try archive.segments(of: run.identity, branch: run.branch)
        }
        let kept = try storing { () throws(ArchiveError) in
            try archive.firstKeptOrdinal(of: run.identity)
        }
        let known = Dictionary(stored.map { ($0.ordinal, $0) }, uniquingKeysWith: { first, _ in first })
        var progress = SyncProgress(board: run.identity)
        let segments = run.segments.filter { $0.ordinal >= kept }
        progress.totalByteCount = segments.reduce(0) { sum, segment in
            sum + max(0, Int(segment.byteCount) - (known[segment.ordinal]?.byteCount ?? 0))
        }
        try checkSize(progress.totalByteCount, run.board)
        report(progress)
        var pace = ProgressGuard(now: client.channel.now)
        let stem = run.branch
        for segment in segments {
            // A branch that begins in this run has nothing stored yet.
            let before = run.branch == stem ? known[segment.ordinal] : nil
            if let before, before.isSettled, before.byteCount == Int(segment.byteCount) { continue }
            try fetch(segment, &run, before, &summary, &progress, &pace)
        }
        // The ring may have overwritten the unfetched end of the log.
        if let newest = stored.last, let oldest = segments.first, oldest.ordinal > newest.ordinal &+ 1 {
            summary.missedSegmentCount += Int(oldest.ordinal - newest.ordinal) - 1
        }
    }

    /// Anybody can present an untrusted board, so its log may not fill the disk.
    private func checkSize(_ byteCount: Int, _ board: ProvenBoard) throws(SyncError) {
        guard board.isTrusted || byteCount <= options.untrustedByteLimit else {
            throw .overLimit(.tooLarge)
        }
    }

    private func fetch(
        _ segment: SyncIndexSegment, _ run: inout SyncRun, _ stored: StoredSegment?,
        _ summary: inout SyncSummary, _ progress: inout SyncProgress, _ pace: inout ProgressGuard
    ) throws(SyncError) {
        let end = Int(segment.byteCount)
        // The prefix with deliberately removed entries is not fetched again; its hash was compared when it
        // arrived.
        let start = stored?.changedByteCount ?? 0
        progress.segment = segment.ordinal
        var isSame = false
        var offset = stored?.byteCount ?? 0
        // An earlier run that was interrupted has not checked the chain of what it stored.
        var isChecked = stored?.isComplete == true && offset >= end
        if !isChecked { run.willCheck(segment: segment.ordinal, from: start) }
        if !isChecked, stored?.isVerified == true, offset == end {
            return run.uncheckedSegments[segment.ordinal] = true
        }
        // Fetched bytes stay, even if their hash differs from the board's. The segment is then fetched once
        // more, into a branch of its own. If it differs again, the board's data is inconsistent.
        for isSecond in [false, true] where !isSame {
            if isSecond || offset > end {
                try begin(segment.ordinal, &run, &summary)
                isChecked = false
                progress.totalByteCount += max(0, end - start)
                offset = start
            }
            guard try download(segment.ordinal, run, from: offset, to: end, &summary, &progress, &pace) else {
                summary.missedSegmentCount += 1
                return
            }
            offset = end
            guard let verdict = try compare(segment, run, from: start) else {
                return try close(segment, &run, isSame: false, isChecked: isChecked)
            }
            isSame = verdict
        }
        guard isSame else {
            summary.differingSegments.append(segment.ordinal)
            return
        }
        summary.verifiedSegmentCount += segment.isOpen ? 0 : 1
        try close(segment, &run, isSame: true, isChecked: isChecked)
    }

    /// Begins a branch at this segment, and continues the run in it.
    private func begin(
        _ ordinal: UInt32, _ run: inout SyncRun, _ summary: inout SyncSummary
    ) throws(SyncError) {
        let parent = run.branch
        let branch = try storing { () throws(ArchiveError) in
            let branch = try archive.addBranch(
                of: run.identity, from: parent, at: ordinal, foundAt: client.clock.wallClock)
            try archive.record(currentBranch: branch, of: run.identity)
            return branch
        }
        run.branch = branch
        run.willCheck(segment: ordinal, from: 0)
        summary.branchedSegments.append(ordinal)
    }

    /// The chain of a segment that was not checked before is checked at the end of the run.
    private func close(
        _ segment: SyncIndexSegment, _ run: inout SyncRun, isSame: Bool, isChecked: Bool
    ) throws(SyncError) {
        guard !segment.isOpen else { return }
        if !isChecked { run.uncheckedSegments[segment.ordinal] = isSame }
        let (branch, identity) = (run.branch, run.identity)
        try storing { () throws(ArchiveError) in
            if isChecked {
                try archive.markComplete(
                    segment: segment.ordinal, of: identity, branch: branch, isVerified: isSame)
            } else {
                try archive.record(
                    isSame: isSame, segment: segment.ordinal, of: identity, branch: branch)
            }
        }
    }

    /// Returns false if the board has overwritten the segment meanwhile.
    private func download(
        _ ordinal: UInt32, _ run: SyncRun, from start: Int, to end: Int, _ summary: inout SyncSummary,
        _ progress: inout SyncProgress, _ pace: inout ProgressGuard
    ) throws(SyncError) -> Bool {
        var store = PieceStore(archive: archive, run: run, segment: ordinal, offset: start)
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
                try pace.add(piece.count, now: client.channel.now)
            }
        } catch {
            // The pieces that arrived before the disconnection are kept.
            if case .link = error { try? store.flush() }
            if case .stopped = error { try? store.flush() }
            if case .overLimit = error { try? store.flush() }
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
        _ segment: SyncIndexSegment, _ run: SyncRun, from start: Int
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
            try archive.bytes(ofSegment: segment.ordinal, of: run.identity, branch: run.branch)
        }
        return bytes.count >= start && SHA256.digest(of: bytes.span.extracting(start...)) == digest
    }
}
