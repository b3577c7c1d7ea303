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
        case .unsignedEnd: "unsignedEnd"
        case .closed: "closed"
        case .notChained: "notChained"
        case .overwritten: "overwritten"
        case .damagedPages: "damagedPages"
        case .laterVersion: "laterVersion"
        case .unreadableEntries: "unreadableEntries"
        case .endMissing: "endMissing"
        case .segmentsMissing: "segmentsMissing"
        case .pagesMissing: "pagesMissing"
        case .outOfPlace: "outOfPlace"
        case .foreign: "foreign"
        case .forgedPages: "forgedPages"
        case .forgedOpenings: "forgedOpenings"
        case .notAsSigned: "notAsSigned"
        case .forgedManifest: "forgedManifest"
        case .wrongCounts: "wrongCounts"
        }
    }
}

extension LogFinding {
    /// The finding as text for people: a phrase without an end mark, and without the cost.
    public var words: String {
        let pages = pageCount.map { "\($0) \($0 == 1 ? "page" : "pages")" } ?? "pages"
        switch kind {
        case .tornPages:
            return "\(pages) written in vain (a write that failed, or a power cut); nothing is lost with them"
        case .pagesAside:
            return "\(pages) that the board took for not written; it went on from before them"
        case .chainBegunAnew:
            return
                "the chain begins anew: a power cut left the board no whole page of this segment to go on from"
        case .boardKeyUnknown:
            return "no signature was checked: the archive does not know the board's key"
        case .keyChanged(let fingerprint):
            return
                "from here on the board has another key of its own, \(Self.text(fingerprint)): it was provisioned with that"
        case .keyNotVouched(let fingerprint):
            return
                "the board has shown another key of its own, \(Self.text(fingerprint)), which nobody here has vouched for: "
                + "if it has lost its keys file, provision it; else it is not the board that it says"
        case .forgotten(let milliseconds):
            return "all before here was forgotten by the operator, at \(Self.time(milliseconds))"
        case .redacted(let redaction):
            let why = redaction.schemes.map { "what \($0.joined(separator: ", ")) keeps no longer" }
            return
                "\(pages) redacted: the operator had entries removed (\(why ?? "somebody's, who was to be forgotten")), "
                + "at \(Self.time(redaction.wallClockMilliseconds)); the chain holds across them, what is left in them cannot be checked"
        case .unsigned: return "\(pages) in clear: the chain holds them together, nobody has signed them"
        case .unsignedEnd: return "\(pages) behind the last signature: a manifest would vouch for them"
        case .closed: return "\(pages) closed: their chain was checked, their seals need the opening key"
        case .notChained: return "\(pages) not chained: each stands for itself"
        case .overwritten(let count):
            let cause = cause?.words ?? "overwritten or erased by the board"
            return "\(Self.segments(count)) \(cause) before they were fetched"
                + (isAcknowledged == true ? "; somebody had told the board that they were safe" : "")
        case .damagedPages: return "\(pages) damaged"
        case .laterVersion: return "\(pages) of a later version, which this program cannot read"
        case .unreadableEntries(let error): return "\(pages) not wholly read: \(error.sentence)"
        case .endMissing(let position):
            return
                "the log went on to \(Self.text(position)) when the board signed it; the rest was not fetched, "
                + "or taken away"
        case .segmentsMissing(let count):
            return
                "\(Self.segments(count)) missing that the board still had when it signed its newest manifest; sync again"
        case .pagesMissing:
            return "\(pageCount == nil ? "pages" : "at most \(pages)") missing here: taken out of the log"
        case .outOfPlace: return "\(pages) that the board never wrote here: moved, repeated or made up"
        case .foreign: return "\(pages) of another log"
        case .forgedPages: return "\(pages) not as the board sealed them: changed, or made by somebody else"
        case .forgedOpenings: return "\(pages) with an opening that the board's key has not signed"
        case .notAsSigned(let position):
            return "what stands before \(Self.text(position)) is not what the board signed"
        case .forgedManifest: return "a manifest that the board's key has not signed"
        case .wrongCounts: return "\(pages) with numbers that contradict what is there"
        }
    }

    /// The position as text: "segment 3, byte 4096".
    public static func text(_ position: LogPosition) -> String {
        "segment \(position.segmentOrdinal), byte \(position.byteOffset)"
    }

    private static func text(_ fingerprint: Bytes<16>) -> String {
        [UInt8](copying: fingerprint.span).hexadecimal
    }

    private static func time(_ milliseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).ISO8601Format()
    }

    private static func segments(_ count: Int) -> String { count == 1 ? "1 segment" : "\(count) segments" }
}
