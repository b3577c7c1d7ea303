import DeviceSync

/// Whom a board has met, for a table, whom it had no room for if there were any, and how its log is kept.
enum BoardStateText {
    static func text(_ status: BoardStatus) -> String {
        var parts = [
            "\(status.openEncounterCount) near now", "\(status.encounterCount) encounters since its start",
        ]
        if status.evictedPeerCount > 0 { parts.append("\(status.evictedPeerCount) peers evicted") }
        if status.turnedAwayCount > 0 { parts.append("\(status.turnedAwayCount) reports turned away") }
        if status.refusedIdentityCount > 0 {
            parts.append("\(status.refusedIdentityCount) identities refused")
        }
        if status.namesakeCount > 0 {
            parts.append("another device serves its payload (\(NamesakeText.remedy))")
        }
        if let isSealed = status.isSealed { parts.append(isSealed ? "log sealed" : "log in clear") }
        if status.lostSegmentCount > 0 {
            parts.append("\(status.lostSegmentCount) segments overwritten before they were fetched")
        }
        return parts.joined(separator: ", ")
    }
}
