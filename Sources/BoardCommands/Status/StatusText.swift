import BoardCommandLine
import DeviceSync
import EncounterLog
import FixedMemory

/// A board's status as lines for people.
enum StatusText {
    static func write(_ status: BoardStatus) {
        line("version   ") { line throws(CapacityError) in
            try StatusValues.write(version: status.softwareVersion, to: &line)
        }
        line("radio     ") { line throws(CapacityError) in try writeRadio(status, to: &line) }
        line("clock     ") { line throws(CapacityError) in
            guard let time = status.wallClock else {
                return try line.append("not known; sync the board, or set its clock")
            }
            try StatusValues.write(time, to: &line)
        }
        line("near now  ") { line throws(CapacityError) in
            try count(status.peerCount, " devices, ", to: &line)
            try count(status.openEncounterCount, " encounters open, ", to: &line)
            try count(status.encounterCount, " since the agent's start", to: &line)
        }
        line("log       ") { line throws(CapacityError) in try writeLog(status, to: &line) }
        writeLosses(status)
    }

    private static func writeRadio(
        _ status: BoardStatus, to line: inout FixedBuffer<1024>
    ) throws(CapacityError) {
        try line.append(StatusValues.radio(status.radioState))
        if status.radioState == .unused { try line.append(": the board is not set up; run tabardctl setup") }
        if let fault = status.radioFault {
            try line.append("; last fault: ")
            try line.append(StatusValues.fault(fault))
        }
        try count(status.radioResetCount, " resets", after: "; ", to: &line)
        switch status.identityState {
        case .timeUnknown?: try line.append("; not advertising: no clock")
        case .keyMissing?: try line.append("; not advertising: no key for today")
        default: break
        }
    }

    private static func writeLog(
        _ status: BoardStatus, to line: inout FixedBuffer<1024>
    ) throws(CapacityError) {
        try line.append(hex: status.logIdentity.span.extracting(0..<4))
        try line.append(status.isSealed ?? false ? ", encrypted, " : ", not encrypted, " as StaticString)
        try count(status.segmentCount, " segments, fetched through segment ", to: &line)
        try line.append(decimal: status.syncedThrough.segmentOrdinal)
        if status.uncommittedEntryCount > 0 {
            try count(status.uncommittedEntryCount, " entries in memory", after: ", ", to: &line)
        }
    }

    private static func writeLosses(_ status: BoardStatus) {
        line("lost      ", unless: !StatusValues.hasLosses(status)) { line throws(CapacityError) in
            try count(status.droppedEntryCount, " entries dropped, ", to: &line)
            try count(status.evictedPeerCount, " peers evicted, ", to: &line)
            try count(status.turnedAwayCount, " reports refused by the full table, ", to: &line)
            try count(status.lostSegmentCount, " segments overwritten before they were fetched", to: &line)
        }
        line("identity  ", unless: status.duplicateIdentityCount == 0) { line throws(CapacityError) in
            try line.append("another device has this board's identity; give each its own")
        }
    }

    @inline(never)
    private static func line(
        _ name: StaticString, unless isLeftOut: Bool = false,
        _ write: (inout FixedBuffer<1024>) throws(CapacityError) -> Void
    ) {
        guard !isLeftOut else { return }
        Output.line { line throws(CapacityError) in
            try line.append(name)
            try write(&line)
        }
    }

    @inline(never)
    private static func count(
        _ number: UInt32, _ what: StaticString, after: StaticString = "", to line: inout FixedBuffer<1024>
    ) throws(CapacityError) {
        try line.append(after)
        try line.append(decimal: number)
        try line.append(what)
    }
}
