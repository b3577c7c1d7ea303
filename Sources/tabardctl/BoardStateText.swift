import DeviceSync

/// Whom a board has met, for a table, and whom it had no room for if there were any.
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
        return parts.joined(separator: ", ")
    }
}
