import FixedMemory

// Inspection: reading single blocks of a medium that may hold anything.

extension SegmentRing where Flash: ~Copyable {
    /// The segment that the first pages of a slot's blocks identify, or why they identify none.
    enum Finding {
        case segment(SegmentMark)
        case erased
        case damaged
        case unreadable(FlashError)
    }

    static var readAttempts: Int { 4 }

    /// The first readable segment header at the start of some blocks in `slot`, or why there is none. On an
    /// overwritten medium the newest counts, because later blocks may have an older one. Headers with an
    /// ordinal above `last` do not count.
    @inline(never)  // keeps the image small, as below
    static func look(
        _ flash: inout Flash, slot: Int, blocks: Range<Int> = 0..<SegmentMap.markingBlocks,
        geometry: FlashGeometry, upTo last: UInt32 = .max
    ) throws(LogError) -> Finding {
        var finding = Finding.erased
        for blockIndex in blocks {
            let mark: SegmentMark?
            do throws(LogError) {
                mark = try readMark(
                    &flash, block: slot * geometry.blocksPerSegment + blockIndex, geometry: geometry)
            } catch .unsupportedVersion(let version) {
                throw .unsupportedVersion(version)
            } catch .geometryMismatch(let found) {
                throw .geometryMismatch(found: found)
            } catch .flash(let error) {
                if case .segment = finding { continue }
                finding = .unreadable(error)
                continue
            } catch {
                if error != .blankPage, case .erased = finding { finding = .damaged }
                continue
            }
            if let mark, mark.segmentOrdinal <= last {
                let ownSlot = mark.segmentOrdinal % UInt32(truncatingIfNeeded: geometry.segmentCount)
                if Int(truncatingIfNeeded: ownSlot) == slot {
                    if case .segment(let other) = finding, other.segmentOrdinal > mark.segmentOrdinal {
                        continue
                    }
                    finding = .segment(mark)
                    if isOverwritten(flash) { continue }
                    return finding
                }
            }
            if case .erased = finding { finding = .damaged }
        }
        // A file reads zeros where it was never written.
        if case .damaged = finding, isUntouched(&flash, slot: slot, blocks: blocks, geometry: geometry) {
            return .erased
        }
        return finding
    }

    private static func isUntouched(
        _ flash: inout Flash, slot: Int, blocks: Range<Int>, geometry: FlashGeometry
    ) -> Bool {
        for blockIndex in blocks {
            do throws(LogError) {
                let start = try readStart(&flash, block: slot * geometry.blocksPerSegment + blockIndex)
                guard start == Bytes() else { return false }
            } catch {
                return false
            }
        }
        return true
    }

    /// Reads the segment header in a block's first page; nil if the page has none. A page that is neither
    /// whole nor erased is read until two reads agree, because a bus may err or a cell may be unstable.
    @inline(never)
    private static func readMark(
        _ flash: inout Flash, block: Int, geometry: FlashGeometry
    ) throws(LogError) -> SegmentMark? {
        var before: Bytes<86>?
        var attempts = 0
        while true {
            attempts += 1
            do throws(LogError) {
                let bytes = try readStart(&flash, block: block)
                let isSettled = before == bytes || attempts == readAttempts
                before = bytes
                do throws(LogError) {
                    return try SegmentMark(pageStart: bytes, geometry: geometry)
                } catch {
                    if isSettled || error == .blankPage { throw error }
                }
            } catch {
                guard case .flash = error, attempts < readAttempts else { throw error }
            }
        }
    }

    /// A page's header, and the part of its segment header that has its own checksum.
    @inline(never)
    static func readStart(_ flash: inout Flash, block: Int) throws(LogError) -> Bytes<86> {
        var bytes = Bytes<86>()
        var span = bytes.mutableSpan
        do throws(FlashError) {
            try flash.read(block: block, offset: 0, into: &span)
        } catch {
            throw .flash(error)
        }
        return bytes
    }

    /// Whether a block holds a page of its segment.
    static func holds(
        _ flash: inout Flash, _ place: SegmentMap.Place, geometry: FlashGeometry,
        scratch: inout FixedArray<UInt8>
    ) throws(LogError) -> Bool {
        try read(&flash, place, geometry: geometry, into: &scratch)
        return LogPage.isWhole(scratch.span, at: place.position(in: geometry))
    }

    /// Whether the segment never wrote to the block, by one of several reads, because a bus may err. False if
    /// the block cannot be read.
    @inline(never)
    static func isUnwritten(
        _ flash: inout Flash, _ place: SegmentMap.Place, geometry: FlashGeometry,
        scratch: inout FixedArray<UInt8>
    ) -> Bool {
        for _ in 0..<readAttempts {
            do throws(LogError) {
                try read(&flash, place, geometry: geometry, into: &scratch)
            } catch {
                continue
            }
            if LogPage.isUnwritten(
                scratch.span, at: place.position(in: geometry), segmentCount: geometry.segmentCount)
            {
                return true
            }
        }
        return false
    }

    /// The result of examining all bytes of a block.
    struct BlockVerdict {
        var isErased = true
        var isBlank = true
        var mayBeTorn = true
    }

    @inline(never)
    static func inspect(
        _ flash: inout Flash, block: Int, from start: Int = 0, scratch: inout FixedArray<UInt8>
    ) throws(LogError) -> BlockVerdict {
        let end = scratch.count
        var all = scratch.mutableSpan
        var bytes = all._mutatingExtracting(start..<end)
        do throws(FlashError) {
            try flash.read(block: block, offset: start, into: &bytes)
        } catch {
            throw .flash(error)
        }
        var verdict = BlockVerdict()
        let read = bytes.span
        if read.isErased { return verdict }
        verdict.isErased = false
        let torn = PageHeader.marker | PageHeader.formatVersion
        verdict.mayBeTorn = read[0] & torn == torn
        for index in read.indices where read[index] != 0xff && read[index] != 0 { verdict.isBlank = false }
        return verdict
    }
}
