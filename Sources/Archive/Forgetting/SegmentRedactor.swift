import EncounterLog
import FixedMemory
import LogContents

/// Removes the selected entries from a segment.
///
/// A page with such an entry keeps its place, its length and the bytes before its entries. If the segment
/// loses any entry, unreadable pages are overwritten too: a failed write may have left a copy of entries that
/// the board wrote again.
struct SegmentRedactor {
    /// The segment's bytes without the removed entries.
    private(set) var bytes: [UInt8]
    /// All redacted pages of the segment afterwards, by byte offset.
    private(set) var pages: [Int: RedactedPage] = [:]
    /// The end of the last changed byte.
    private(set) var changedByteCount = 0
    private(set) var counts = RedactionCounts()

    /// - Parameter redaction: recorded for each page that loses entries.
    init(
        _ bytes: [UInt8], _ contents: SegmentContents, of board: LogIdentity, _ selection: ContactSelection,
        _ redaction: Redaction
    ) {
        self.bytes = bytes
        // Identities of the remaining entries in pages that stay as the board wrote them.
        var stayed: Set<[UInt8]> = []
        for page in contents.pages where page.header != nil {
            guard page.isRead(of: board), let boot = page.bootIdentifier, let head = page.head else {
                counts.unreadPageCount += 1
                continue
            }
            if let before = page.redacted { pages[page.byteOffset] = before }
            let kept = page.entries.filter { !selection.covers($0, boot: boot) }
            guard kept.count < page.entries.count else {
                if page.redacted == nil { stayed.formUnion(kept.compactMap(\.identification?.encoded)) }
                continue
            }
            let going = page.entries.filter { selection.covers($0, boot: boot) }
            counts.entryCount += going.count
            counts.messageCount += going.count(where: \.isMessage)
            counts.pageCount += 1
            pages[page.byteOffset] = RedactedPage(
                redaction: redaction, chainValue: head.chainValue, entries: kept,
                identities: (page.redacted?.identities ?? []) + going.compactMap(\.identification))
            overwrite(page, ordinal: contents.ordinal)
        }
        guard counts.pageCount > 0 else { return }
        for offset in pages.keys { pages[offset]?.keepIdentities(in: stayed) }
        for page in contents.pages where page.isUnreadable && !contents.isCutShort(page) { wipe(page) }
    }

    private mutating func overwrite(_ page: PageContents, ordinal: UInt32) {
        guard page.redacted == nil else { return }
        let range = page.byteOffset..<min(page.byteOffset + page.byteCount, bytes.count)
        let position = LogPosition(segmentOrdinal: ordinal, byteOffset: UInt32(clamping: page.byteOffset))
        do throws(LogError) {
            let empty = try LogPage(bytes.span.extracting(range), at: position).withoutEntries()
            bytes.replaceSubrange(range.lowerBound..<range.lowerBound + empty.count, with: empty)
        } catch {
            // Unreachable: this range was decoded as a page before.
            wipe(page)
        }
        changedByteCount = max(changedByteCount, range.upperBound)
    }

    /// Overwrites unreadable bytes so that they stay unreadable: blank bytes stay blank, others do not become
    /// blank.
    private mutating func wipe(_ page: PageContents) {
        let range = page.byteOffset..<min(page.byteOffset + page.byteCount, bytes.count)
        let filling: UInt8 = page.damage == .blankPage ? 0xff : 0x5a
        guard bytes[range].contains(where: { $0 != filling }) else { return }
        bytes.replaceSubrange(range, with: repeatElement(filling, count: range.count))
        changedByteCount = max(changedByteCount, range.upperBound)
    }
}

extension PageContents {
    /// True for a page of this board whose entries could be read, at least in part.
    fileprivate func isRead(of board: LogIdentity) -> Bool {
        guard !isLocked, logIdentity == board else { return false }
        switch damage {
        case nil, .malformedEntry?: return true
        default: return false
        }
    }

    /// True if no page can be read here, including pages of a later version.
    fileprivate var isUnreadable: Bool {
        guard header == nil else { return false }
        switch damage {
        case .unsupportedVersion?, .unsupportedFlags?: return false
        default: return true
        }
    }
}

extension RedactedPage {
    /// Drops identities that no remaining entry refers to.
    fileprivate mutating func keepIdentities(in stayed: Set<[UInt8]>) {
        var left: Set<[UInt8]> = []
        identities = identities.filter { stayed.contains($0.encoded) && left.insert($0.encoded).inserted }
    }
}

extension EncounterIdentifiedEntry {
    fileprivate var encoded: [UInt8] { LogEntry.encounterIdentified(self).encoded }
}

extension LogEntry {
    /// An entry that others may refer to, without encounter number and time.
    fileprivate var identification: EncounterIdentifiedEntry? {
        guard case .encounterIdentified(var entry) = self, entry.marks == .none else { return nil }
        entry.encounter = 0
        entry.instant = .start
        return entry
    }

    fileprivate var isMessage: Bool {
        switch self {
        case .message, .sharedPayloads: true
        default: false
        }
    }
}
