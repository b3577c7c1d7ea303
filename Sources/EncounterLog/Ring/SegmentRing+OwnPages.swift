import Cryptography
import FixedMemory

// Mounting on a medium that others had in their hands: the log continues only from pages of epochs that the
// board's own key signed (docs/log-design.md). Pages behind the last of them stay where they are; the log
// does not chain to them, and does not believe what they say.

extension SegmentRing where Flash: ~Copyable {
    /// Does the same as ``recover(_:map:scratch:upTo:)``, and takes no foreign page for the end of the log.
    @inline(never)
    static func recoverOwn(
        _ flash: inout Flash, map: inout SegmentMap, scratch: inout FixedArray<UInt8>,
        boardKey: P256PublicKey?
    ) throws(LogError) -> LogTail? {
        var last = UInt32.max
        while true {
            guard var tail = try recover(&flash, map: &map, scratch: &scratch, upTo: last) else { return nil }
            tail.hasForeignPages = last != .max
            let newest = try newestOwn(&tail, &flash, map: map, scratch: &scratch, boardKey: boardKey)
            guard let newest, newest < tail.segmentOrdinal else { return tail }
            last = newest
            map.removeAll()
        }
    }

    /// Corrects the log's end if foreign pages are behind it.
    /// - Returns: the newest segment that may be the log's if the tail's is not; otherwise nil.
    @inline(never)
    private static func newestOwn(
        _ tail: inout LogTail, _ flash: inout Flash, map: borrowing SegmentMap,
        scratch: inout FixedArray<UInt8>, boardKey: P256PublicKey?
    ) throws(LogError) -> UInt32? {
        let newest = tail.segmentOrdinal
        let before = map.retained(before: newest)
        let isPlausible = newest - (before ?? 0) <= OwnPageSearch.longestJump
        guard let boardKey else {
            if isPlausible || before != nil { return nil }
            return try plausibleMark(before: newest, &flash, scratch: &scratch)
        }
        var isFound = false
        if tail.epoch != nil {
            let search = try searchOwn(
                of: newest, tail.usedBlocks, &flash, scratch: &scratch, boardKey, into: &tail)
            isFound = search.lastOwnOffset != nil && (search.isProven || isPlausible)
        } else if isPlausible {
            // Of the newest segment only a header is there, as after a power cut, or the device cannot read
            // it now. Before it may be segments that the log gave up.
            var earlier = before
            while let ordinal = earlier, newest - ordinal <= OwnPageSearch.longestJump, !isFound {
                let count = map.committedByteCount(of: ordinal) / map.geometry.blockByteCount
                let search = try searchOwn(
                    of: ordinal, count, &flash, scratch: &scratch, boardKey, into: &tail)
                isFound = search.lastOwnOffset != nil
                earlier = map.retained(before: ordinal)
            }
        }
        if isFound { return nil }
        // A log that was in clear until now has no segment of the board, and continues from its end.
        let own = try newestMark(before: newest, &flash, scratch: &scratch, signedBy: boardKey)
        if own != nil || before != nil { return own }
        return try plausibleMark(before: newest, &flash, scratch: &scratch)
    }

    /// In a log in clear no page proves anything. But a newest segment that is farther from all others than
    /// any medium lasts is not the log's, and the log must not come to its last ordinal by it.
    ///
    /// A smaller distance proves nothing: a worn slot keeps its old segment as long as the medium lasts, and
    /// in a small ring a fault can leave only such segments beside the newest.
    private static func plausibleMark(
        before ordinal: UInt32, _ flash: inout Flash, scratch: inout FixedArray<UInt8>
    ) throws(LogError) -> UInt32? {
        let other = try newestMark(before: ordinal, &flash, scratch: &scratch, signedBy: nil)
        guard let other,
            ordinal - other > OwnPageSearch.longestLife
        else { return nil }
        return other
    }

    /// The largest ordinal below `ordinal` of all segment headers in marking blocks; with a board key, of
    /// those that begin with an epoch of the board. It reads each header once, from the newest slot
    /// backwards, so that few signatures are checked.
    @inline(never)
    private static func newestMark(
        before ordinal: UInt32, _ flash: inout Flash, scratch: inout FixedArray<UInt8>,
        signedBy boardKey: P256PublicKey?
    ) throws(LogError) -> UInt32? {
        guard ordinal > 0 else { return nil }
        let count = flash.geometry.segmentCount
        let first = Int(truncatingIfNeeded: ordinal - 1) % count
        var newest: UInt32?
        for distance in 0..<count {
            for block in 0..<SegmentMap.markingBlocks {
                let finding = try look(
                    &flash, slot: (first + count - distance) % count, blocks: block..<block + 1,
                    geometry: flash.geometry, upTo: ordinal - 1)
                guard case .segment(let mark) = finding else { continue }
                if let newest, mark.segmentOrdinal <= newest { continue }
                if let boardKey {
                    var search = OwnPageSearch(
                        ordinal: mark.segmentOrdinal, checksAll: true, boardKey: boardKey)
                    try run(&search, over: SegmentMap.markingBlocks, &flash, scratch: &scratch)
                    guard search.isProven else { continue }
                }
                newest = mark.segmentOrdinal
            }
        }
        return newest
    }

    /// Searches the first blocks of a segment for the last of the board's pages, and takes over its fields.
    ///
    /// First it believes all headers, and checks only that of the last page, because a signature takes a slow
    /// board 50 ms. If that one is foreign, or the page is in clear, it checks every header.
    @inline(never)
    private static func searchOwn(
        of ordinal: UInt32, _ blockCount: Int, _ flash: inout Flash, scratch: inout FixedArray<UInt8>,
        _ boardKey: P256PublicKey, into tail: inout LogTail
    ) throws(LogError) -> OwnPageSearch {
        var search = OwnPageSearch(ordinal: ordinal, checksAll: false, boardKey: boardKey)
        try run(&search, over: blockCount, &flash, scratch: &scratch)
        if try !search.endsWithOwnPage() {
            search = OwnPageSearch(ordinal: ordinal, checksAll: true, boardKey: boardKey)
            try run(&search, over: blockCount, &flash, scratch: &scratch)
        }
        guard search.lastOwnOffset != nil else { return search }
        tail.head = search.head
        tail.syncedThrough = search.syncedThrough
        if search.isFollowed { tail.hasForeignPages = true }
        return search
    }

    /// A block with anything else than pages is read again, because a bus may err.
    @inline(never)
    private static func run(
        _ search: inout OwnPageSearch, over blockCount: Int, _ flash: inout Flash,
        scratch: inout FixedArray<UInt8>
    ) throws(LogError) {
        let geometry = flash.geometry
        for blockIndex in 0..<blockCount {
            let place = SegmentMap.Place(ordinal: search.ordinal, blockIndex: blockIndex)
            var attempts = 0
            var isWhole = false
            while !isWhole, attempts < readAttempts {
                attempts += 1
                do throws(LogError) {
                    try read(&flash, place, geometry: geometry, into: &scratch)
                } catch {
                    continue
                }
                isWhole = try search.take(scratch.span, at: blockIndex * geometry.blockByteCount, geometry)
            }
        }
    }
}
