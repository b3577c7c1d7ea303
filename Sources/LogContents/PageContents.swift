import EncounterLog
import FixedMemory

/// The readable content of one page, even of a damaged one.
public struct PageContents: Sendable {
    /// The offset from the segment's start, and the length including the padding up to the next page.
    public let byteOffset: Int
    public let byteCount: Int
    /// Nil if the page cannot be read at all.
    public let header: PageHeader?
    /// The segment header of the page's epoch; nil if it is lost.
    public let segmentHeader: SegmentHeader?
    /// The link to the previous pages, if the page has one, and the chain head after the page.
    public let link: PageLink?
    public let head: LogHead?
    /// The readable entries, in order. An entry that refers to an identity in a lost page stays a reference.
    public private(set) var entries: [LogEntry]
    /// The length of the entries in bytes.
    public let entryByteCount: Int
    /// The number of skipped entries, whose kinds this version does not know.
    public let unknownEntryCount: Int
    /// The first error that was found; nil for an intact page.
    public let damage: LogError?
    /// True if the page is locked: it is encrypted and no key at hand decrypts it. A locked page is not
    /// damaged.
    public let isLocked: Bool
    /// The remaining entries of a page from which entries were deliberately removed. They cannot be verified
    /// any more.
    package let redacted: RedactedPage?

    /// Describes a place where no page can be read.
    init(_ place: SegmentReader.Place) {
        byteOffset = place.byteOffset
        byteCount = place.byteCount
        header = nil
        segmentHeader = nil
        link = nil
        head = nil
        entries = []
        entryByteCount = 0
        unknownEntryCount = 0
        damage = place.fault
        isLocked = false
        redacted = nil
    }

    /// Replaces references by the identities that the segment contains.
    mutating func resolve(by identities: SegmentIdentities) { entries = entries.map(identities.resolved) }

    /// Reads an intact page of the epoch that began with `segmentHeader`.
    init(
        _ page: borrowing LogPage, at place: SegmentReader.Place, of segmentHeader: SegmentHeader?,
        keys: [OwnerKey], redacted: RedactedPage?
    ) {
        byteOffset = place.byteOffset
        byteCount = place.byteCount
        header = page.header
        self.segmentHeader = segmentHeader
        link = page.link
        head = LogHead(
            position: page.endPosition, chainValue: redacted?.chainValue ?? page.chainValue)
        entryByteCount = page.entryByteCount
        self.redacted = redacted
        if let redacted {
            (entries, unknownEntryCount, damage, isLocked) = (redacted.entries, 0, nil, false)
            return
        }
        guard let segmentHeader else {
            (entries, unknownEntryCount, damage, isLocked) = ([], 0, .segmentHeaderLost, false)
            return
        }
        guard page.header.isSealed else {
            let list = EntryList(page.entries)
            (entries, unknownEntryCount, damage) = (list.entries, list.unknownCount, list.damage)
            isLocked = false
            return
        }
        guard let key = keys.first(where: { $0.fingerprint == segmentHeader.seal?.ownerKeyFingerprint })
        else {
            (entries, unknownEntryCount, damage, isLocked) = ([], 0, nil, true)
            return
        }
        do throws(LogError) {
            let opened = try key.open(page, of: segmentHeader)
            let list = EntryList(EntryIterator(opened.span))
            (entries, unknownEntryCount, damage) = (list.entries, list.unknownCount, list.damage)
            isLocked = false
        } catch {
            (entries, unknownEntryCount, damage, isLocked) = ([], 0, error, false)
        }
    }

    /// The fingerprint of the owner key that decrypts the entries; nil for a plaintext page, or if the
    /// segment header is lost.
    public var sealedFor: Bytes<16>? {
        header?.isSealed == true && redacted == nil ? segmentHeader?.seal?.ownerKeyFingerprint : nil
    }

    /// When and why entries were deliberately removed; nil if the page is as the board wrote it.
    public var redaction: Redaction? { redacted?.redaction }

    /// True unless entries were removed and nothing proves that the rest is the board's.
    package var isRestProven: Bool { redacted?.isProven ?? true }

    public var bootIdentifier: UInt64? { segmentHeader?.bootIdentifier }

    public var logIdentity: LogIdentity? {
        guard let identity = segmentHeader?.logIdentity else { return nil }
        return LogIdentity([UInt8](copying: identity.span))
    }

    /// The page's sequence number within the log's whole lifetime. It is unique.
    public var sequenceNumber: UInt64? {
        guard let segmentHeader else { return nil }
        return UInt64(segmentHeader.segmentOrdinal) * UInt64(segmentHeader.geometry.segmentByteCount)
            + UInt64(byteOffset)
    }
}

/// The readable entries of one page.
package struct EntryList {
    package private(set) var entries: [LogEntry] = []
    package private(set) var damage: LogError?
    package let unknownCount: Int

    package init(_ iterator: consuming EntryIterator) {
        var iterator = iterator
        var isAtEnd = false
        while !isAtEnd {
            do throws(LogError) {
                if let entry = try iterator.next() { entries.append(entry) } else { isAtEnd = true }
            } catch {
                // One malformed entry does not affect the entries after it.
                damage = damage ?? error
            }
        }
        unknownCount = iterator.unknownEntryCount
    }
}

extension LogError {
    /// The error as text for people, without an end mark.
    public var sentence: String {
        switch self {
        case .truncatedPage: "the page is truncated"
        case .blankPage: "the page is blank"
        case .notALogPage: "not a log page"
        case .damagedPage: "the page is damaged (a power cut while it was written, or worn flash)"
        case .unsupportedVersion(let version):
            "the page has format version \(version), which this program cannot read"
        case .unsupportedFlags(let flags): "the page has flags that this program does not know (\(flags))"
        case .malformedPage: "the numbers in the page contradict each other"
        case .malformedEntry(let offset): "the entry at byte \(offset) of the page's entries cannot be read"
        case .sealedForAnotherKey: "the page is encrypted for another owner key"
        case .segmentHeaderLost: "the segment header that this page needs is lost"
        case .forgedPage: "the page was changed after the board encrypted it"
        case .flash, .noMemory, .mediumHoldsSomethingElse, .geometryMismatch, .eraseHadNoEffect,
            .blocksTooSmallToSeal, .entryTooLong, .noSuchSegment, .cannotSeal:
            "the page cannot be read (\(self))"
        }
    }
}
