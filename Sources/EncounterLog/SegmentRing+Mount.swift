import FixedMemory

// Finding the log on a medium, in whatever state a power cut left it.

extension SegmentRing where Flash: ~Copyable {
    /// Fills `map` with what is found and returns the log's identity; nil if the medium is blank, with `map` set
    /// to write the first page.
    static func recover(_ flash: inout Flash, map: inout SegmentMap) throws(LogError) -> Bytes<16>? {
        let geometry = map.geometry
        var identity: Bytes<16>?
        for slot in 0..<geometry.segmentCount {
            guard let header = try findHeader(&flash, slot: slot, geometry: geometry) else { continue }
            if map.newestOrdinal == nil || header.segmentOrdinal > map.newestOrdinal ?? 0 {
                identity = header.logIdentity
            }
            // All but the newest are full: a segment is begun only when the one before it is.
            map.found(header.segmentOrdinal, committedPages: geometry.pagesPerSegment)
        }
        if let newest = map.newestOrdinal {
            let slot = map.slotIndex(of: newest)
            map.found(newest, committedPages: usedPages(&flash, slot: slot, geometry: geometry))
        } else {
            try requireBlank(&flash, geometry: geometry)
            // A power cut while formatting may have left a torn page. An erased segment is not erased again.
            let usedPages = usedPages(&flash, slot: 0, geometry: geometry)
            if usedPages < SegmentMap.markingPages {
                map.next = SegmentMap.Place(ordinal: 0, pageIndex: usedPages)
            }
        }
        return identity
    }

    /// The first readable header among the marking pages of the segment in `slot`, if there is one.
    private static func findHeader(
        _ flash: inout Flash, slot: Int, geometry: FlashGeometry
    ) throws(LogError) -> PageHeader? {
        for pageIndex in 0..<SegmentMap.markingPages {
            let header: PageHeader
            do throws(LogError) {
                header = try readHeader(&flash, page: slot * geometry.pagesPerSegment + pageIndex)
            } catch .unsupportedVersion(let version) {
                throw .unsupportedVersion(version)
            } catch .unsupportedFlags(let flags) {
                throw .unsupportedFlags(flags)
            } catch {
                continue
            }
            guard header.geometry == geometry else { throw .geometryMismatch(found: header.geometry) }
            let ownSlot = header.segmentOrdinal % UInt32(truncatingIfNeeded: geometry.segmentCount)
            if Int(truncatingIfNeeded: ownSlot) == slot, header.pageIndex == pageIndex { return header }
        }
        return nil
    }

    /// The number of pages up to the last one whose header is not erased.
    private static func usedPages(_ flash: inout Flash, slot: Int, geometry: FlashGeometry) -> Int {
        var count = geometry.pagesPerSegment
        while count > 0 {
            do throws(LogError) {
                _ = try readHeader(&flash, page: slot * geometry.pagesPerSegment + count - 1)
                return count
            } catch .blankPage {
                count -= 1
            } catch {
                return count
            }
        }
        return 0
    }

    private static func readHeader(_ flash: inout Flash, page: Int) throws(LogError) -> PageHeader {
        var bytes = Bytes<56>()
        var span = bytes.mutableSpan
        do throws(FlashError) {
            try flash.read(page: page, offset: 0, into: &span)
        } catch {
            throw .flash(error)
        }
        return try PageHeader(bytes.span)
    }

    /// Every byte of the medium is to be 0x00 (a file made of nothing) or 0xFF, but for the first segment's pages
    /// that begin as a torn page of a log may: no bit cleared in the magic that is to be set.
    private static func requireBlank(_ flash: inout Flash, geometry: FlashGeometry) throws(LogError) {
        for page in 0..<geometry.pageCount {
            let verdict = try inspect(&flash, page: page)
            let isTorn = page < geometry.pagesPerSegment && verdict.mayBeTorn
            guard verdict.isBlank || isTorn else { throw .mediumHoldsSomethingElse(page: page) }
        }
    }

    /// What all the bytes of a page say about it.
    struct PageVerdict {
        var isErased = true
        var isBlank = true
        var mayBeTorn = true
    }

    static func inspect(_ flash: inout Flash, page: Int) throws(LogError) -> PageVerdict {
        var verdict = PageVerdict()
        var bytes = Bytes<256>()
        for offset in stride(from: 0, to: flash.geometry.pageByteCount, by: 256) {
            var span = bytes.mutableSpan
            do throws(FlashError) {
                try flash.read(page: page, offset: offset, into: &span)
            } catch {
                throw .flash(error)
            }
            let read = bytes.span
            if offset == 0 {
                for index in PageHeader.magic.indices {
                    let expected = PageHeader.magic[index]
                    if read[index] & expected != expected { verdict.mayBeTorn = false }
                }
            }
            if read.isErased { continue }
            verdict.isErased = false
            for index in read.indices where read[index] != 0xff && read[index] != 0 {
                verdict.isBlank = false
            }
        }
        return verdict
    }
}
