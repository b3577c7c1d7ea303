import EncounterLog
import FixedMemory

/// One page as far as it can be read, or what is left of one that cannot.
public struct PageContents: Sendable {
    /// From its segment's start, with the padding up to the next page.
    public let byteOffset: Int
    public let byteCount: Int
    /// Nil when nothing of it can be read.
    public let header: PageHeader?
    /// What the pages of its epoch have in common; nil when that is lost.
    public let opening: SegmentOpening?
    /// What ties the page to those before it, if anything does, and what the chain is behind it.
    public let link: PageLink?
    public let head: LogHead?
    /// Those that could be read, in order. Where one refers to an identity in a page that is lost, that reference.
    public private(set) var entries: [LogEntry]
    /// Bytes of entries.
    public let entryByteCount: Int
    /// Entries of kinds that this version does not know; passed over.
    public let unknownEntryCount: Int
    /// The first thing found wrong; nil for a sound page.
    public let damage: LogError?
    /// The page is sealed, and no key was at hand that opens it. Closed is not damaged.
    public let isClosed: Bool
    /// Of a page that lost entries on purpose: what is left. Nobody can check that any more.
    package let redacted: RedactedPage?

    /// A place of which nothing can be read.
    init(_ place: SegmentReader.Place) {
        byteOffset = place.byteOffset
        byteCount = place.byteCount
        header = nil
        opening = nil
        link = nil
        head = nil
        entries = []
        entryByteCount = 0
        unknownEntryCount = 0
        damage = place.fault
        isClosed = false
        redacted = nil
    }

    /// Puts identities of the segment where the page refers to them.
    mutating func resolve(by identities: SegmentIdentities) { entries = entries.map(identities.resolved) }

    /// A whole page of the epoch that began with `opening`.
    init(
        _ page: borrowing LogPage, at place: SegmentReader.Place, of opening: SegmentOpening?,
        keys: [OpeningKey], redacted: RedactedPage?
    ) {
        byteOffset = place.byteOffset
        byteCount = place.byteCount
        header = page.header
        self.opening = opening
        link = page.link
        head = LogHead(
            position: page.endPosition, chainValue: redacted?.chainValue ?? page.chainValue)
        entryByteCount = page.entryByteCount
        self.redacted = redacted
        if let redacted {
            (entries, unknownEntryCount, damage, isClosed) = (redacted.entries, 0, nil, false)
            return
        }
        guard let opening else {
            (entries, unknownEntryCount, damage, isClosed) = ([], 0, .openingLost, false)
            return
        }
        guard page.header.isSealed else {
            let list = EntryList(page.entries)
            (entries, unknownEntryCount, damage) = (list.entries, list.unknownCount, list.damage)
            isClosed = false
            return
        }
        guard let key = keys.first(where: { $0.fingerprint == opening.seal?.openingKeyFingerprint }) else {
            (entries, unknownEntryCount, damage, isClosed) = ([], 0, nil, true)
            return
        }
        do throws(LogError) {
            let opened = try key.open(page, of: opening)
            let list = EntryList(EntryIterator(opened.span))
            (entries, unknownEntryCount, damage) = (list.entries, list.unknownCount, list.damage)
            isClosed = false
        } catch {
            (entries, unknownEntryCount, damage, isClosed) = ([], 0, error, false)
        }
    }

    /// Fingerprint of the opening key that its entries need; nil of a page in clear, or without its opening.
    public var sealedFor: Bytes<16>? {
        header?.isSealed == true && redacted == nil ? opening?.seal?.openingKeyFingerprint : nil
    }

    /// When and why it lost entries on purpose; nil of a page that is as the board wrote it.
    public var redaction: Redaction? { redacted?.redaction }

    public var bootIdentifier: UInt64? { opening?.bootIdentifier }

    public var logIdentity: LogIdentity? {
        guard let identity = opening?.logIdentity else { return nil }
        return LogIdentity([UInt8](copying: identity.span))
    }

    /// The page's place in the whole life of the log. No two pages have the same.
    public var sequenceNumber: UInt64? {
        guard let opening else { return nil }
        return UInt64(opening.segmentOrdinal) * UInt64(opening.geometry.segmentByteCount) + UInt64(byteOffset)
    }
}

/// The entries of one page, as many as can be read.
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
                // One entry that cannot be read does not cost the ones behind it.
                damage = damage ?? error
            }
        }
        unknownCount = iterator.unknownEntryCount
    }
}

extension LogError {
    /// For people, without an end mark.
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
        case .openingLost: "the segment header that this page needs is lost"
        case .forgedPage: "the page was changed after the board encrypted it"
        case .flash, .noMemory, .mediumHoldsSomethingElse, .geometryMismatch, .eraseHadNoEffect,
            .blocksTooSmallToSeal, .entryTooLong, .noSuchSegment, .cannotSeal:
            "the page cannot be read (\(self))"
        }
    }
}
