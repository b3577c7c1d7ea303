import FixedMemory

// Finding the log on a medium, in whatever state a power cut left it.

extension SegmentRing where Flash: ~Copyable {
    /// What some pages of a slot say of the segment in it.
    private enum Finding {
        case segment(PageHeader)
        case erased
        case damaged
        case unreadable(FlashError)
    }

    private static var readAttempts: Int { 4 }

    /// Fills `map` with what is found and returns the log's identity; nil if the medium is blank, with `map` set
    /// to write the first page.
    static func recover(_ flash: inout Flash, map: inout SegmentMap) throws(LogError) -> Bytes<16>? {
        settle(&flash)
        let geometry = map.geometry
        var identity = try findMarkedSegments(&flash, &map)
        let newestMarked = map.newestOrdinal
        let unreadable = try findSegmentsWithoutMarks(&flash, &map, &identity)
        if let newest = map.newestOrdinal {
            let slot = map.slotIndex(of: newest)
            map.found(newest, committedPages: usedPages(&flash, slot: slot, geometry: geometry))
            // Nothing is added to a segment that may not be found next time, nor to one that was perhaps closed: who
            // has fetched it does not ask for it again.
            if newest != newestMarked || map.newestMayBeClosed { map.leaveNewest() }
            if let unreadable, !map.settleUnclearSlots() { throw .flash(unreadable) }
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

    /// An agent that was killed may have left pages that only a cache holds: what is found is to last. If the device fails
    /// here, it reads from now on as after a power cut, and that is as good.
    private static func settle(_ flash: inout Flash) {
        do throws(FlashError) { try flash.sync() } catch {}
    }

    /// Looks at each slot's marking pages. A slot where these are neither whole nor erased becomes unclear.
    private static func findMarkedSegments(
        _ flash: inout Flash, _ map: inout SegmentMap
    ) throws(LogError) -> Bytes<16>? {
        var identity: Bytes<16>?
        for slot in 0..<map.geometry.segmentCount {
            switch try look(
                &flash, slot: slot, pages: 0..<SegmentMap.markingPages, geometry: map.geometry)
            {
            case .segment(let header): note(header, &map, &identity)
            case .erased: break
            case .damaged, .unreadable: map.setUnclear(slot, true)
            }
        }
        return identity
    }

    /// Looks at all other pages of the unclear slots: if the newest segment were overlooked, it would be erased as the
    /// next to be begun. A slot stays unclear if the device gives no page of it; why is returned.
    private static func findSegmentsWithoutMarks(
        _ flash: inout Flash, _ map: inout SegmentMap, _ identity: inout Bytes<16>?
    ) throws(LogError) -> FlashError? {
        let geometry = map.geometry
        var unreadable: FlashError?
        for slot in 0..<geometry.segmentCount where map.isUnclear(slot) {
            switch try look(&flash, slot: slot, pages: 0..<geometry.pagesPerSegment, geometry: geometry) {
            case .segment(let header):
                map.setUnclear(slot, false)
                if !map.mayBeHalfErased(header.segmentOrdinal) { note(header, &map, &identity) }
            case .erased: map.setUnclear(slot, false)
            case .damaged:
                map.setUnclear(slot, false)
                map.noteRemains(slot)
            case .unreadable(let error): unreadable = error
            }
        }
        return unreadable
    }

    private static func note(
        _ header: PageHeader, _ map: inout SegmentMap, _ identity: inout Bytes<16>?
    ) {
        if map.newestOrdinal == nil || header.segmentOrdinal > map.newestOrdinal ?? 0 {
            identity = header.logIdentity
        }
        // All but the newest are full: a segment is begun only when the one before it is.
        map.found(header.segmentOrdinal, committedPages: map.geometry.pagesPerSegment)
    }

    /// The first readable header among some pages of the segment in `slot`, or why there is none.
    private static func look(
        _ flash: inout Flash, slot: Int, pages: Range<Int>, geometry: FlashGeometry
    ) throws(LogError) -> Finding {
        var finding = Finding.erased
        for pageIndex in pages {
            let header: PageHeader
            do throws(LogError) {
                header = try readHeader(&flash, page: slot * geometry.pagesPerSegment + pageIndex)
            } catch .unsupportedVersion(let version) {
                throw .unsupportedVersion(version)
            } catch .unsupportedFlags(let flags) {
                throw .unsupportedFlags(flags)
            } catch .flash(let error) {
                finding = .unreadable(error)
                continue
            } catch {
                if error != .blankPage, case .erased = finding { finding = .damaged }
                continue
            }
            guard header.geometry == geometry else { throw .geometryMismatch(found: header.geometry) }
            let ownSlot = header.segmentOrdinal % UInt32(truncatingIfNeeded: geometry.segmentCount)
            if Int(truncatingIfNeeded: ownSlot) == slot, header.pageIndex == pageIndex {
                return .segment(header)
            }
            if case .erased = finding { finding = .damaged }
        }
        return finding
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

    /// A header that is neither whole nor erased is read again, until it comes the same way twice: a bus may err, a cell
    /// be unstable.
    private static func readHeader(_ flash: inout Flash, page: Int) throws(LogError) -> PageHeader {
        var before: Bytes<56>?
        var attempts = 0
        while true {
            attempts += 1
            do throws(LogError) {
                let bytes = try readHeaderBytes(&flash, page: page)
                let isSettled = before == bytes || attempts == readAttempts
                before = bytes
                do throws(LogError) {
                    return try PageHeader(bytes.span)
                } catch {
                    if isSettled || error == .blankPage { throw error }
                }
            } catch {
                guard case .flash = error, attempts < readAttempts else { throw error }
            }
        }
    }

    private static func readHeaderBytes(_ flash: inout Flash, page: Int) throws(LogError) -> Bytes<56> {
        var bytes = Bytes<56>()
        var span = bytes.mutableSpan
        do throws(FlashError) {
            try flash.read(page: page, offset: 0, into: &span)
        } catch {
            throw .flash(error)
        }
        return bytes
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
