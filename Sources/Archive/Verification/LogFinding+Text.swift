import EncounterLog
import FixedMemory
import Foundation

extension LogFinding.Kind {
    /// The finding's name for programs, as in docs/verify.md.
    public var name: String {
        switch self {
        case .tornPages: "tornPages"
        case .pagesAside: "pagesAside"
        case .chainBegunAnew: "chainBegunAnew"
        case .boardKeyUnknown: "boardKeyUnknown"
        case .keyChanged: "keyChanged"
        case .keyNotVouched: "keyNotVouched"
        case .forgotten: "forgotten"
        case .redacted: "redacted"
        case .unsigned: "unsigned"
        case .unsignedEnd, .acceptedEnd: "unsignedEnd"
        case .locked: "closed"
        case .notChained: "notChained"
        case .endUnproven: "endUnproven"
        case .overwritten: "overwritten"
        case .damagedPages: "damagedPages"
        case .laterVersion: "laterVersion"
        case .unreadableEntries: "unreadableEntries"
        case .endMissing: "endMissing"
        case .fetchUnfinished: "fetchUnfinished"
        case .segmentsMissing: "segmentsMissing"
        case .fork: "fork"
        case .clearBehindSeal: "clearBehindSeal"
        case .segmentsRemoved: "segmentsRemoved"
        case .erasureUnproven: "erasureUnproven"
        case .inClear: "inClear"
        case .tablesForged: "tablesForged"
        case .foreignObjects: "foreignObjects"
        case .redactionUnproven: "redactionUnproven"
        case .forgottenUnproven: "forgottenUnproven"
        case .clockReadingsUnproven: "clockReadingsUnproven"
        case .ownKeysUnproven: "ownKeysUnproven"
        case .pagesMissing: "pagesMissing"
        case .outOfPlace: "outOfPlace"
        case .foreign: "foreign"
        case .forgedPages: "forgedPages"
        case .forgedHeaders: "forgedOpenings"
        case .notAsSigned: "notAsSigned"
        case .forgedManifest: "forgedManifest"
        case .wrongCounts: "wrongCounts"
        }
    }
}

extension LogFinding {
    /// The finding as text for people: a phrase without an end mark, and without the cost.
    public var text: String {
        let pages = pageCount.map { "\($0) \($0 == 1 ? "page" : "pages")" } ?? "pages"
        switch kind {
        case .tornPages:
            return "\(pages) with a failed write or a power cut; no data is lost"
        case .pagesAside:
            return
                "\(pages) outside the chain: the write was never confirmed, and the board continued "
                + "before them"
        case .chainBegunAnew:
            return
                "the chain starts again because a power cut left no complete page in this segment"
        case .boardKeyUnknown:
            return "no signature was checked because the archive has no key of the board"
        case .endUnproven:
            return
                "no manifest says where the log ended, so its last pages may be missing; --board-key accepts that"
        case .keyChanged(let fingerprint):
            return
                "the board has a new board key from here on, \(Self.text(fingerprint)), accepted by "
                + "provisioning"
        case .keyNotVouched(let fingerprint):
            return
                "the board has a board key, \(Self.text(fingerprint)), that no operator accepted here: if it "
                + "is the board's, use `tabardctl trust`, or provision the board if it lost its key file"
        case .forgotten(let time):
            return "the operator removed everything before here, at \(Self.text(time))"
        case .redacted(let redaction):
            let why = redaction.schemes.map {
                "contacts past the retention time of \($0.joined(separator: ", "))"
            }
            return
                "\(pages) redacted: the operator removed entries (\(why ?? "contacts of one person")) "
                + "at \(Self.text(redaction.time)); the chain holds, but the rest of "
                + "these pages is unchecked"
        case .unsigned: return "\(pages) not encrypted: chained but not signed"
        case .acceptedEnd: return "\(pages) after the last signature, not signed yet"
        case .unsignedEnd:
            return
                "\(pages) after the last signature: an interrupted fetch (sync again), or a removed manifest"
        case .locked: return "\(pages) locked: the chain was checked, but the contents need the owner key"
        case .notChained: return "\(pages) not chained"
        case .overwritten(let count):
            let cause = cause?.text ?? "overwritten or erased by the board"
            return "\(Self.segments(count)) \(cause) before they were fetched"
                + (isAcknowledged == true ? "; another archive had acknowledged them" : "")
        case .damagedPages: return "\(pages) damaged"
        case .laterVersion: return "\(pages) of a later version, which this program cannot read"
        case .unreadableEntries(let error): return "\(pages) partly unreadable: \(error.sentence)"
        case .endMissing(let position):
            return
                "the log reached \(Self.text(position)) when the board signed it, but its end was not "
                + "fetched "
                + "or was removed"
        case .fetchUnfinished(let position):
            return
                "the log goes on to \(Self.text(position)), and the last fetch was interrupted; run "
                + "`tabardctl sync` again"
        case .segmentsMissing(let count):
            return
                "\(Self.segments(count)) missing that the newest signed manifest lists; sync again"
        case .fork(let count, let isSigned):
            return
                "\(count) \(count == 1 ? "segment" : "segments") from here on in another version, "
                + (isSigned
                    ? "signed with the board's key too: two boards use copies of one card, or a card was "
                        + "put back to an earlier image"
                    : "which the board has not signed")
        case .segmentsRemoved(let count):
            return
                "\(Self.segments(count)) removed from the log: the board had room for them, and does not "
                + "report that it erased them"
        case .erasureUnproven(let count):
            return
                "\(Self.segments(count)) missing for which the board had room; only the owner key shows "
                + "whether it reports that it erased them"
        case .redactionUnproven:
            return
                "\(pages) redacted, and nothing proves that the operator of this computer did it: the rest of "
                + "these pages may be forged, and is left out of lists"
        case .forgottenUnproven(let time):
            return
                "everything before here was removed, at \(Self.text(time)), and nothing proves that the "
                + "operator of this computer did it"
        case .clockReadingsUnproven(let count):
            return "\(count) clock \(count == 1 ? "sample" : "samples") that this computer did not take"
        case .ownKeysUnproven(let count):
            return
                "\(count) own \(count == 1 ? "key" : "keys") of the board that no signed page of this log states; "
                + "not used"
        case .tablesForged(let tables):
            return
                "tables with rows that do not follow from the log, so somebody wrote them: "
                + "\(tables.joined(separator: ", ")); lists do not use them"
        case .foreignObjects(let names):
            return
                "triggers, views, indexes or tables that this program did not create: "
                + "\(names.joined(separator: ", "))"
        case .inClear: return "\(pages) in clear: anybody with the medium could have made it"
        case .clearBehindSeal:
            return "\(pages) not encrypted, or not chained, behind encrypted ones: the board never wrote them"
        case .pagesMissing:
            return "\(pageCount == nil ? "pages" : "at most \(pages)") missing here: removed from the log"
        case .outOfPlace: return "\(pages) that the board never wrote here: moved, repeated or forged"
        case .foreign: return "\(pages) of another log"
        case .forgedPages: return "\(pages) changed or forged after the board encrypted them"
        case .forgedHeaders: return "\(pages) with a segment header that the board's key has not signed"
        case .notAsSigned(let position):
            return "the log before \(Self.text(position)) differs from what the board signed"
        case .forgedManifest: return "a manifest that the board's key has not signed"
        case .wrongCounts: return "\(pages) with numbers that contradict their contents"
        }
    }

    /// The position as text: "segment 3, byte 4096".
    public static func text(_ position: LogPosition) -> String {
        "segment \(position.segmentOrdinal), byte \(position.byteOffset)"
    }

    private static func text(_ fingerprint: Bytes<16>) -> String {
        [UInt8](copying: fingerprint.span).hexadecimal
    }

    private static func text(_ time: WallClockTime) -> String {
        Date(timeIntervalSince1970: Double(time.milliseconds) / 1000).ISO8601Format()
    }

    private static func segments(_ count: Int) -> String { count == 1 ? "1 segment" : "\(count) segments" }
}
