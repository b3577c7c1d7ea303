import EncounterLog
import FixedMemory
import LogContents

/// One result of verifying a log.
public struct LogFinding: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        // Notes:

        /// Unreadable pages outside the chain, from a failed write or a power cut during a write.
        case tornPages
        /// Pages that the board wrote and then continued from before, because the write was reported as
        /// failed.
        case pagesAside
        /// At boot the board found no intact page of its newest segment, and began a new chain.
        case chainBegunAnew
        /// The archive does not know the board's public key, so no signature could be verified.
        case boardKeyUnknown
        /// The board uses another key from here on, with this fingerprint. An operator who provisioned the
        /// board vouched for it.
        case keyChanged(Bytes<16>)
        /// The board has presented another key, with this fingerprint, that nobody vouched for. Its
        /// signatures count as forged.
        case keyNotVouched(Bytes<16>)
        /// The operator removed everything before this place, at this time since 1970 UTC.
        case forgotten(WallClockTime)
        /// The operator removed entries of these pages. The chain across them was verified, but not their
        /// remaining entries.
        case redacted(Redaction)
        /// Locked pages. Their chain was verified, but not their seals.
        case locked
        /// As `unsignedEnd`, in a file without a manifest.
        case acceptedEnd
        /// Signed pages that are not encrypted: anybody with the medium could have made them for the board to
        /// sign.
        case inClear

        // Unproven:

        /// Plaintext pages, which are not signed.
        case unsigned
        /// Pages after the last one that a signature covers.
        case unsignedEnd
        /// Pages without a link to the chain.
        case notChained
        /// As `redacted`, and nothing proves that the operator did it.
        case redactionUnproven
        /// As `forgotten`, and nothing proves that the operator did it.
        case forgottenUnproven(WallClockTime)
        /// Clock samples that this computer did not take.
        case clockReadingsUnproven(count: Int)
        /// Own keys that no page states, and that this computer did not store.
        case ownKeysUnproven(count: Int)
        /// Missing segments that the board cannot have overwritten. The pages that would report another cause
        /// are locked.
        case erasureUnproven(count: Int)
        /// No manifest says where the log ended, so its end may have been cut off.
        case endUnproven

        // Gaps:

        /// Segments that the board no longer had at the time of the fetch.
        case overwritten(count: Int)

        // Damage:

        /// Unreadable pages of the chain.
        case damagedPages
        /// Pages that a later version of the software wrote.
        case laterVersion
        /// Intact pages of which some entries cannot be read, with the reason.
        case unreadableEntries(LogError)
        /// The stored log ends before this position, up to which it reached according to a manifest.
        case endMissing(LogPosition)
        /// The same, but the fetch that brought the manifest has not come to its end.
        case fetchUnfinished(LogPosition)
        /// Segments that the board still had according to its newest manifest.
        case segmentsMissing(count: Int)
        /// Segments of which the archive has another version. If the board's key has signed that version too,
        /// two boards use copies of one card, or a card was put back to an earlier image.
        case fork(segmentCount: Int, isSigned: Bool)

        // Forgery:

        /// Pages in clear, or without a link, behind a sealed epoch: the board encrypts all it writes there.
        case clearBehindSeal
        /// Derived tables with rows that do not follow from the evidence. Lists do not use them.
        case tablesForged([String])
        /// Triggers, views, indexes and tables of the file that this program did not create, or not so.
        case foreignObjects([String])
        /// Missing segments that the board cannot have overwritten: its ring was not full, and no entry
        /// reports that it erased them.
        case segmentsRemoved(count: Int)
        /// Pages of the chain are missing, and nothing is in their place.
        case pagesMissing
        /// Pages that the board never wrote here: moved, repeated, or from another log.
        case outOfPlace
        /// Pages that name another log.
        case foreign
        /// Pages that differ from what the board sealed.
        case forgedPages
        /// Segment headers that the board's key has not signed.
        case forgedHeaders
        /// A signature of the board covers a different page in this place.
        case notAsSigned(LogPosition)
        /// A manifest that the board's key has not signed.
        case forgedManifest
        /// Page numbers or entry counts that contradict the stored pages.
        case wrongCounts
    }

    public enum Severity: Int, Sendable, Comparable {
        /// `unproven`: nothing contradicts this part of the log, and nothing proves it.
        case note, gap, unproven, damage, forgery

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    public var kind: Kind
    /// Where the finding begins; nil if it concerns the whole log.
    public var position: LogPosition?
    /// The number of pages concerned, if known.
    public var pageCount: Int?
    /// The number of lost entries; nil if unknown.
    public var lostEntryCount: Int?
    /// True if `lostEntryCount` is a lower bound.
    public var isAtLeast = false
    /// The time concerned: the last known moment before it and the first one after it.
    public var before: LogHole.Moment?
    public var after: LogHole.Moment?
    /// For erased segments: the cause that the board reports.
    public var cause: GapCause?
    /// For erased segments: whether a host had acknowledged them to the board.
    public var isAcknowledged: Bool?

    init(_ kind: Kind, at position: LogPosition? = nil, pageCount: Int? = nil) {
        self.kind = kind
        self.position = position
        self.pageCount = pageCount
    }

    public var severity: Severity {
        switch kind {
        case .tornPages, .pagesAside, .chainBegunAnew, .keyChanged, .forgotten, .redacted, .locked, .inClear,
            .acceptedEnd:
            .note
        case .boardKeyUnknown, .keyNotVouched, .unsigned, .unsignedEnd, .notChained, .endUnproven,
            .erasureUnproven, .redactionUnproven, .forgottenUnproven, .clockReadingsUnproven,
            .ownKeysUnproven, .fetchUnfinished:
            .unproven
        case .overwritten: .gap
        case .damagedPages, .laterVersion, .unreadableEntries, .endMissing, .segmentsMissing, .fork:
            .damage
        case .clearBehindSeal, .tablesForged, .foreignObjects, .segmentsRemoved, .pagesMissing, .outOfPlace,
            .foreign, .forgedPages, .forgedHeaders, .notAsSigned, .forgedManifest, .wrongCounts:
            .forgery
        }
    }
}
