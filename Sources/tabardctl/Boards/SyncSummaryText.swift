import BoardLink
import CommandLineText
import FixedMemory
import KeyFiles
import Sync

/// The result of a fetch, and the missing data, for people.
enum SyncSummaryText {
    static func text(_ summary: SyncSummary) -> String {
        var parts = [
            summary.fetchedByteCount == 0
                ? "no new data" : "\(ByteText.text(summary.fetchedByteCount)) fetched",
            newEntries(summary),
        ]
        if summary.missedSegmentCount > 0 {
            parts.append(
                "\(Count.text(summary.missedSegmentCount, "segment")) erased by the board before the fetch")
        }
        if summary.verifiedSegmentCount > 0 {
            parts.append("\(Count.text(summary.verifiedSegmentCount, "complete segment")) verified")
        }
        if let refusal = summary.clockRefusal {
            parts.append("clock not set: \(BoardText.plain(refusal))")
        } else if let error = summary.clockError {
            parts.append("clock within \(error.milliseconds) ms")
        }
        if summary.decoded.damagedPageCount > 0 {
            parts.append(Count.text(summary.decoded.damagedPageCount, "damaged page"))
        }
        if let first = summary.branchedSegments.first {
            parts.append(
                "the log differs from the stored one from segment \(first) on, and both are kept; run "
                    + "`tabardctl verify`")
        }
        if let text = unchained(summary.unchainedSegments) { parts.append(text) }
        if let text = text(summary.acknowledgement) { parts.append(text) }
        if let sealed = LockedPagesText.text(summary.decoded.lockedPages) {
            parts.append("\(sealed); \(LockedPagesText.remedy)")
        }
        if summary.isUntrusted {
            parts.append(
                "untrusted: key \(summary.keyFingerprint.map(Fingerprint.text) ?? "none"); nothing counts "
                    + "until `tabardctl trust \(summary.claimed.short)`")
        }
        if summary.isRetired {
            parts.append("this board is retired; `tabardctl boards retire BOARD --undo` takes it back")
        }
        if let text = DuplicateIdentityText.text(summary.duplicateIdentities) { parts.append(text) }
        return parts.joined(separator: ", ")
    }

    /// The same within the columns of a terminal: warnings, and the new entries.
    static func short(_ summary: SyncSummary) -> String {
        var parts: [String] = []
        if let segment = summary.differingSegments.first {
            parts.append("segment \(segment) is damaged on the board")
        }
        if let segment = summary.branchedSegments.first {
            parts.append("two versions of the log from segment \(segment) on")
        }
        if !summary.unchainedSegments.isEmpty { parts.append("sync again") }
        if summary.isUntrusted { parts.append("untrusted") }
        if summary.isRetired { parts.append("retired") }
        if summary.decoded.damagedPageCount > 0 {
            parts.append(Count.text(summary.decoded.damagedPageCount, "damaged page"))
        }
        if summary.missedSegmentCount > 0 {
            parts.append("\(Count.text(summary.missedSegmentCount, "segment")) lost")
        }
        if summary.clockRefusal != nil { parts.append("clock not set") }
        return (parts + ["done, safe to unplug: \(newEntries(summary))"]).joined(separator: "; ")
    }

    private static func newEntries(_ summary: SyncSummary) -> String {
        Count.text(summary.decoded.entryCount, "new entry", "new entries")
    }

    private static func unchained(_ segments: [UInt32]) -> String? {
        guard let first = segments.first, let last = segments.last else { return nil }
        return (first == last ? "segment \(first) does" : "segments \(first) to \(last) do")
            + " not chain to the end of the log and stay unacknowledged; sync again, then run `tabardctl "
            + "verify`"
    }

    private static func text(_ acknowledgement: Acknowledgement) -> String? {
        switch acknowledgement {
        case .done, .doneBefore: "acknowledged"
        case .skipped(.noManifest), .skipped(.notWanted), .skipped(.untrusted), .skipped(.unchained): nil
        case .skipped(.noOperatorKey): "not acknowledged: no operator key at hand"
        case .skipped(.differs): "not acknowledged: the fetched log ends differently from the manifest"
        case .skipped(.refused(let refusal)):
            "not acknowledged: \(refusal.meaning ?? "the board refused (\(refusal.codeText))")"
        }
    }

    /// Nil unless the board's storage contradicts the board's own hash.
    static func damage(_ summary: SyncSummary, _ label: String) -> Failure? {
        guard !summary.differingSegments.isEmpty else { return nil }
        let list = summary.differingSegments.map(String.init).joined(separator: ", ")
        return Failure(
            .data, "\(label): segments \(list) differ from the board's own hash; check its storage")
    }
}
