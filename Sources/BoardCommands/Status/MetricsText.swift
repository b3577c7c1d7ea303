import DeviceSync
import FixedMemory

/// A board's status in the text format of Prometheus, version 0.0.4. No metric has a label (docs/metrics.md).
enum MetricsText {
    static func write(_ status: BoardStatus, to text: inout FixedBuffer<8192>) throws(CapacityError) {
        try gauge("up", "Whether the agent answers.", 1, to: &text)
        try gauge(
            "set_up", "Whether the board has a role and a place.", status.radioState != .unused, to: &text)
        let isUp = status.radioState == .up || status.radioState == .quiet
        try gauge("radio_up", "Whether the radio advertises and scans.", isUp, to: &text)
        try gauge("clock_known", "Whether the board knows the time.", status.wallClock != nil, to: &text)
        try gauge("log_encrypted", "Whether new pages are encrypted.", status.isSealed ?? false, to: &text)
        try gauge("devices", "Devices near now.", status.peerCount, to: &text)
        try gauge("open_encounters", "Encounters now open.", status.openEncounterCount, to: &text)
        try counter("encounters", "Encounters begun.", status.encounterCount, to: &text)
        try counter("reports", "Advertising reports received.", status.reportCount, to: &text)
        try counter(
            "malformed_reports", "Reports refused as malformed.", status.malformedReportCount, to: &text)
        try counter(
            "radio_resets", "Times that the radio was brought up again.", status.radioResetCount, to: &text)
        try counter(
            "power_cycles", "Times that the controller's power was cut.", status.powerCycleCount, to: &text)
        try counter(
            "dropped_entries", "Entries that the medium did not take.", status.droppedEntryCount, to: &text)
        try counter(
            "evicted_devices", "Devices evicted from the full table.", status.evictedPeerCount, to: &text)
        try counter(
            "refused_reports", "Reports that the full table refused.", status.turnedAwayCount, to: &text)
        try counter(
            "duplicate_identities", "Times that another device sent this board's payload.",
            status.duplicateIdentityCount, to: &text)
        try gauge("uncommitted_entries", "Entries only in memory.", status.uncommittedEntryCount, to: &text)
        try gauge(
            "medium_writable", "Whether the medium takes new pages.", status.takesPages ?? true, to: &text)
        try counter(
            "flash_failures", "Failed attempts at writing a page or erasing a segment.",
            status.flashFailureCount, to: &text)
        try gauge(
            "log_segments", "Segments that the log has now.", status.segmentCount, to: &text)
        try gauge(
            "log_fetched_segment", "Ordinal of the segment through which the log was fetched.",
            status.syncedThrough.segmentOrdinal, to: &text)
        try counter("markers", "Moments that the wearer marked.", status.markerCount, to: &text)
        if let battery = status.battery {
            if let percent = battery.percent {
                try gauge("battery_percent", "Charge of the battery.", UInt32(percent), to: &text)
            }
            try gauge("battery_low", "Whether the battery is low.", battery.isLow, to: &text)
        }
        try counter(
            "lost_segments", "Segments overwritten before they were fetched.", status.lostSegmentCount,
            to: &text)
    }

    /// The metrics of a board whose agent does not answer.
    static func writeDown(to text: inout FixedBuffer<8192>) throws(CapacityError) {
        try gauge("up", "Whether the agent answers.", 0, to: &text)
    }

    private static func gauge(
        _ name: StaticString, _ help: StaticString, _ value: Bool, to text: inout FixedBuffer<8192>
    ) throws(CapacityError) {
        try gauge(name, help, value ? 1 : 0, to: &text)
    }

    private static func gauge(
        _ name: StaticString, _ help: StaticString, _ value: UInt32, to text: inout FixedBuffer<8192>
    ) throws(CapacityError) {
        try write(name, "", help, "gauge", value, to: &text)
    }

    /// A counter since the start of the agent. Its name ends with `_total`.
    private static func counter(
        _ name: StaticString, _ help: StaticString, _ value: UInt32, to text: inout FixedBuffer<8192>
    ) throws(CapacityError) {
        try write(name, "_total", help, "counter", value, to: &text)
    }

    @inline(never)
    private static func write(
        _ name: StaticString, _ ending: StaticString, _ help: StaticString, _ type: StaticString,
        _ value: UInt32, to text: inout FixedBuffer<8192>
    ) throws(CapacityError) {
        try append("# HELP ", name, ending, to: &text)
        try text.append(help)
        try append("\n# TYPE ", name, ending, to: &text)
        try text.append(type)
        try append("\n", name, ending, to: &text)
        try text.append(decimal: value)
        try text.append("\n")
    }

    @inline(never)
    private static func append(
        _ start: StaticString, _ name: StaticString, _ ending: StaticString,
        to text: inout FixedBuffer<8192>
    ) throws(CapacityError) {
        try text.append(start)
        try text.append("tabard_")
        try text.append(name)
        try text.append(ending)
        try text.append(" ")
    }
}
