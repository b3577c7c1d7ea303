import DeviceSync

/// A board's encounters, evicted peers, and the state of its log, as text for a table.
enum BoardStateText {
    static func text(_ status: BoardStatus) -> String {
        var parts = [
            "\(status.openEncounterCount) near now", "\(status.encounterCount) encounters since boot",
        ]
        if status.evictedPeerCount > 0 { parts.append("\(status.evictedPeerCount) peers evicted") }
        if status.turnedAwayCount > 0 {
            parts.append("\(status.turnedAwayCount) reports dropped (peer table full)")
        }
        if status.refusedIdentityCount > 0 {
            parts.append("\(status.refusedIdentityCount) identities refused")
        }
        if status.duplicateIdentityCount > 0 {
            parts.append("another device has its identity (\(DuplicateIdentityText.remedy))")
        }
        if let isSealed = status.isSealed { parts.append(isSealed ? "log encrypted" : "log not encrypted") }
        if status.lostSegmentCount > 0 {
            parts.append("\(status.lostSegmentCount) segments overwritten before they were fetched")
        }
        return parts.joined(separator: ", ")
    }
}
