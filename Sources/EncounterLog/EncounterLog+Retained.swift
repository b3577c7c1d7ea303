import FixedMemory

// The view that a sync reads: the segments on the medium, oldest first, byte for byte.

extension EncounterLog where Flash: ~Copyable {
    /// The total length of all retained segments.
    public var retainedByteCount: Int {
        var count = 0
        var next = ring.map.oldestRetained
        while let ordinal = next {
            count += ring.map.committedByteCount(of: ordinal)
            next = ring.map.retained(after: ordinal)
        }
        return count
    }

    public var retainedSegmentCount: Int { retainedSegmentCount(from: 0) }

    /// The oldest retained segment with this ordinal or a later one.
    @inline(never)
    public func retainedSegment(from first: UInt32) -> RetainedSegment? {
        guard let oldest = ring.map.oldestRetained else { return nil }
        let ordinal = first > oldest ? ring.map.retained(after: first - 1) : oldest
        return ordinal.flatMap { retainedSegment(ordinal: $0) }
    }

    /// The number of retained segments from this ordinal on.
    public func retainedSegmentCount(from first: UInt32) -> Int {
        var count = 0
        var next = retainedSegment(from: first)?.ordinal
        while let ordinal = next {
            count += 1
            next = ring.map.retained(after: ordinal)
        }
        return count
    }

    /// The retained segment at `index`, counted from the oldest; nil beyond the newest.
    public func retainedSegment(at index: Int) -> RetainedSegment? {
        var rest = index
        var next = ring.map.oldestRetained
        while let ordinal = next {
            if rest == 0 { return retainedSegment(ordinal: ordinal) }
            rest -= 1
            next = ring.map.retained(after: ordinal)
        }
        return nil
    }

    /// The retained segment with this ordinal; nil if the medium does not hold it.
    public func retainedSegment(ordinal: UInt32) -> RetainedSegment? {
        let byteCount = ring.map.committedByteCount(of: ordinal)
        guard byteCount > 0 else { return nil }
        return RetainedSegment(
            ordinal: ordinal, byteCount: byteCount, isComplete: ring.map.isComplete(ordinal))
    }

    /// Fills `destination` from byte `offset` of a retained segment, up to the end of its committed bytes,
    /// and returns the number of bytes.
    ///
    /// Throws `.noSuchSegment`, or `.flash` with some of the bytes filled in.
    public mutating func read(
        segment ordinal: UInt32, offset: Int, into destination: inout MutableSpan<UInt8>
    ) throws(LogError) -> Int {
        guard let segment = retainedSegment(ordinal: ordinal) else { throw .noSuchSegment }
        guard offset >= 0, offset < segment.byteCount else { return 0 }
        let count = min(destination.count, segment.byteCount - offset)
        try fill(&destination, from: 0, count: count, ordinal: ordinal, offset: offset)
        return count
    }

    /// Reads from all retained segments as if concatenated, oldest first. Offsets move when the ring
    /// overwrites the oldest segment, so a slow reader should read segment by segment.
    public mutating func read(
        offset: Int, into destination: inout MutableSpan<UInt8>
    ) throws(LogError) -> Int {
        var skipped = offset
        var filled = 0
        var next = offset < 0 ? nil : ring.map.oldestRetained
        while let ordinal = next, filled < destination.count {
            let byteCount = ring.map.committedByteCount(of: ordinal)
            if skipped < byteCount {
                let count = min(destination.count - filled, byteCount - skipped)
                try fill(&destination, from: filled, count: count, ordinal: ordinal, offset: skipped)
                filled += count
                skipped = 0
            } else {
                skipped -= byteCount
            }
            next = ring.map.retained(after: ordinal)
        }
        return filled
    }

    /// Fills `count` bytes of `destination` from `start` on, block by block: a flash device reads within one
    /// block at a time.
    @inline(never)
    private mutating func fill(
        _ destination: inout MutableSpan<UInt8>, from start: Int, count: Int, ordinal: UInt32, offset: Int
    ) throws(LogError) {
        var filled = 0
        while filled < count {
            let position = offset + filled
            let place = SegmentMap.Place(ordinal: ordinal, blockIndex: position / geometry.blockByteCount)
            let offsetInBlock = position % geometry.blockByteCount
            let piece = min(count - filled, geometry.blockByteCount - offsetInBlock)
            var span = destination._mutatingExtracting(start + filled..<start + filled + piece)
            do throws(FlashError) {
                try ring.flash.read(block: place.block(in: geometry), offset: offsetInBlock, into: &span)
            } catch {
                throw .flash(error)
            }
            filled += piece
        }
    }
}
