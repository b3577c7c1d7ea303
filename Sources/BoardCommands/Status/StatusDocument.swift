import BoardCommandLine
import DeviceSync
import FixedMemory

/// A board's status as a JSON object: docs/json.md.
enum StatusDocument {
    private static let schema: StaticString = "tabard-status-1"

    static func write(_ status: BoardStatus) {
        begin("{")
        text("schema") { line throws(CapacityError) in try line.append(schema) }
        text("log") { line throws(CapacityError) in try line.append(hex: status.logIdentity.span) }
        text("boot") { line throws(CapacityError) in
            try line.append(hex: status.bootIdentifier, digitCount: 16)
        }
        text("version") { line throws(CapacityError) in
            try StatusValues.write(version: status.softwareVersion, to: &line)
        }
        boolean("isSetUp", status.radioState != .unused)
        text("radio") { line throws(CapacityError) in
            try line.append(StatusValues.radio(status.radioState))
        }
        text("radioFault", isNull: status.radioFault == nil) { line throws(CapacityError) in
            try line.append(StatusValues.fault(status.radioFault ?? 0))
        }
        text("time", isNull: status.wallClock == nil) { line throws(CapacityError) in
            try StatusValues.write(status.wallClock ?? WallClockTime(milliseconds: 0), to: &line)
        }
        boolean("isSealed", status.isSealed ?? false)
        number("radioResets", status.radioResetCount)
        number("devices", status.peerCount)
        number("openEncounters", status.openEncounterCount)
        number("encounters", status.encounterCount)
        number("droppedEntries", status.droppedEntryCount)
        number("evictedPeers", status.evictedPeerCount)
        number("droppedReports", status.turnedAwayCount)
        number("refusedIdentities", status.refusedIdentityCount)
        number("duplicateIdentities", status.duplicateIdentityCount)
        number("uncommittedEntries", status.uncommittedEntryCount)
        boolean("takesPages", status.takesPages ?? true)
        number("flashFailures", status.flashFailureCount)
        number("markers", status.markerCount)
        number("updateSlot", status.update.map { UInt32($0.slot) })
        boolean("isUpdateOnTrial", status.update?.isOnTrial ?? false)
        number("batteryPercent", status.battery?.percent.map { UInt32($0) })
        boolean("isBatteryLow", status.battery?.isLow ?? false)
        number("segments", status.segmentCount)
        number("lostSegments", status.lostSegmentCount)
        number("fetchedThroughSegment", status.syncedThrough.segmentOrdinal, isLast: true)
        begin("}")
    }

    @inline(never)
    private static func begin(_ bracket: StaticString) {
        Output.line { line throws(CapacityError) in try line.append(bracket) }
    }

    @inline(never)
    private static func field(
        _ name: StaticString, isLast: Bool = false,
        _ write: (inout FixedBuffer<1024>) throws(CapacityError) -> Void
    ) {
        Output.line { line throws(CapacityError) in
            try line.append("  \"")
            try line.append(name)
            try line.append("\": ")
            try write(&line)
            if !isLast { try line.append(",") }
        }
    }

    /// No text of a status has a character that JSON escapes.
    @inline(never)
    private static func text(
        _ name: StaticString, isNull: Bool = false,
        _ write: (inout FixedBuffer<1024>) throws(CapacityError) -> Void
    ) {
        field(name) { line throws(CapacityError) in
            guard !isNull else { return try line.append("null") }
            try line.append("\"")
            try write(&line)
            try line.append("\"")
        }
    }

    @inline(never)
    private static func boolean(_ name: StaticString, _ value: Bool) {
        field(name) { line throws(CapacityError) in try line.append(value ? "true" : "false" as StaticString)
        }
    }

    @inline(never)
    private static func number(_ name: StaticString, _ value: UInt32?, isLast: Bool = false) {
        field(name, isLast: isLast) { line throws(CapacityError) in
            guard let value else { return try line.append("null") }
            try line.append(decimal: value)
        }
    }
}
