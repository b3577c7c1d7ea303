import CommandLineText
import DeviceSync

/// A board's encounters, evicted peers, and the state of its log, as text for a table.
enum BoardStateText {
    static func text(_ status: BoardStatus) -> String {
        if status.radioState == .unused {
            return "not set up (run tabardctl setup with this port)"
        }
        var parts = [
            "\(status.openEncounterCount) near now",
            "\(Count.text(status.encounterCount, "encounter")) since boot",
        ]
        if status.evictedPeerCount > 0 {
            parts.append("\(Count.text(status.evictedPeerCount, "peer")) evicted")
        }
        if status.turnedAwayCount > 0 {
            parts.append("\(Count.text(status.turnedAwayCount, "report")) dropped (peer table full)")
        }
        if status.refusedIdentityCount > 0 {
            parts.append("\(Count.text(status.refusedIdentityCount, "identity", "identities")) refused")
        }
        if status.duplicateIdentityCount > 0 {
            parts.append("another device has its identity (\(DuplicateIdentityText.remedy))")
        }
        if let isSealed = status.isSealed { parts.append(isSealed ? "log encrypted" : "log not encrypted") }
        if let update = status.update, update.slot > 0 {
            parts.append(update.isOnTrial ? "an update on trial" : "an update sent by cable")
        }
        if let battery = status.battery {
            let charge = battery.percent.map { "battery \($0) %" } ?? "battery"
            if battery.isLow {
                parts.append(charge + " low")
            } else if battery.percent != nil {
                parts.append(charge)
            }
        }
        if status.lostSegmentCount > 0 {
            parts.append("\(Count.text(status.lostSegmentCount, "segment")) overwritten before the fetch")
        }
        return parts.joined(separator: ", ")
    }
}
