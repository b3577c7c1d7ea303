import EncounterLog
import FixedMemory
import LogContents

/// Something that checking a log has found.
public struct LogFinding: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        // Notes.

        /// Pages that cannot be read and are not in the chain: a write that failed, or that a power cut tore.
        case tornPages
        /// Pages that were written and that the board went on from before: a write that was said to have failed.
        case pagesAside
        /// The board found no page of its newest segment whole when it started, and begins its chain anew.
        case chainBegunAnew
        /// The board's public key is not known here: no signature can be checked.
        case boardKeyUnknown
        /// The board has another key from here on, of this fingerprint, which whoever provisioned it has vouched for.
        case keyChanged(Bytes<16>)
        /// The board has shown another key, of this fingerprint, and nobody has vouched for it: what it signs counts as forged.
        case keyNotVouched(Bytes<16>)
        /// Whoever keeps the archive has had all before this place removed, at this time, since 1970 UTC.
        case forgotten(wallClockMilliseconds: Int64)
        /// Whoever keeps the archive has had entries of these pages removed. The chain across them was checked; what is left of
        /// them was not.
        case redacted(Redaction)
        /// Pages in clear, which nobody signs.
        case unsigned
        /// Pages behind the last one that a signature vouches for.
        case unsignedEnd
        /// Sealed pages that no key at hand opens: their chain was checked, their seals were not.
        case closed
        /// Pages that are not chained.
        case notChained

        // Gaps.

        /// Segments that the board no longer had when it was fetched from.
        case overwritten(count: Int)

        // Damage.

        /// Pages of the chain that cannot be read.
        case damagedPages
        /// Written by a later version of the software.
        case laterVersion
        /// Pages that are whole, of which not everything can be read: why.
        case unreadableEntries(LogError)
        /// The log goes further than what is here, says a manifest: up to this position.
        case endMissing(LogPosition)
        /// Segments that the board still had, says its newest manifest.
        case segmentsMissing(count: Int)

        // Forgery.

        /// Pages that were in the chain are not here, and nothing is in their place.
        case pagesMissing
        /// Pages that were never written here: moved, repeated, or of another log.
        case outOfPlace
        /// Pages that say that they are of another log.
        case foreign
        /// Pages that are not as the board sealed them.
        case forgedPages
        /// Openings that the board's key has not signed.
        case forgedOpenings
        /// The board has signed that another page stands here.
        case notAsSigned(LogPosition)
        /// A manifest that the board's key has not signed.
        case forgedManifest
        /// Page numbers or numbers of entries that contradict what is there.
        case wrongCounts
    }

    public enum Severity: Int, Sendable, Comparable {
        case note, gap, damage, forgery

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    public var kind: Kind
    /// Where it begins; nil for what concerns the whole log.
    public var position: LogPosition?
    /// Pages concerned, where that can be said.
    public var pageCount: Int?
    /// Entries that it cost; nil when nobody knows.
    public var lostEntryCount: Int?
    /// There may be more than `lostEntryCount`.
    public var isAtLeast = false
    /// What is known of the time that it concerns: the last thing before it and the first behind it.
    public var before: LogHole.Moment?
    public var after: LogHole.Moment?
    /// Of segments that are gone: why, says the board.
    public var cause: GapCause?
    /// Of segments that are gone: the board was told that they were safe elsewhere.
    public var isAcknowledged: Bool?

    init(_ kind: Kind, at position: LogPosition? = nil, pageCount: Int? = nil) {
        self.kind = kind
        self.position = position
        self.pageCount = pageCount
    }

    public var severity: Severity {
        switch kind {
        case .tornPages, .pagesAside, .chainBegunAnew, .boardKeyUnknown, .keyChanged, .keyNotVouched,
            .forgotten, .redacted, .unsigned, .unsignedEnd, .closed, .notChained:
            .note
        case .overwritten: .gap
        case .damagedPages, .laterVersion, .unreadableEntries, .endMissing, .segmentsMissing: .damage
        case .pagesMissing, .outOfPlace, .foreign, .forgedPages, .forgedOpenings, .notAsSigned,
            .forgedManifest, .wrongCounts:
            .forgery
        }
    }
}
