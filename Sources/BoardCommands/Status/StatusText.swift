import BoardCommandLine
import DeviceSync
import EncounterLog
import FixedMemory

/// A board's status as lines for people.
enum StatusText {
    static func write(_ status: BoardStatus) {
        line("version   ") { line throws(CapacityError) in
            try StatusValues.write(version: status.softwareVersion, to: &line)
            guard let update = status.update else { return }
            try line.append(
                update.slot == 0
                    ? ", of the package"
                    : update.isOnTrial ? ", an update on trial" : ", an update" as StaticString)
        }
        line("radio     ") { line throws(CapacityError) in try writeRadio(status, to: &line) }
        line("clock     ") { line throws(CapacityError) in
            guard let time = status.wallClock else {
                return try line.append("not known; sync the board, or set its clock")
            }
            try StatusValues.write(time, to: &line)
        }
        line("near now  ") { line throws(CapacityError) in
            try line.append(count: status.peerCount, " devices, ")
            try line.append(count: status.openEncounterCount, " encounters open, ")
            try line.append(count: status.encounterCount, " since the agent's start")
        }
        line("log       ") { line throws(CapacityError) in try writeLog(status, to: &line) }
        line("battery   ", unless: status.battery == nil) { line throws(CapacityError) in
            if let percent = status.battery?.percent {
                try line.append(decimal: percent)
                try line.append(" %")
            } else {
                try line.append("charge not known")
            }
            if status.battery?.isLow == true { try line.append(", low") }
        }
        line("markers   ", unless: status.markerCount == 0) { line throws(CapacityError) in
            try line.append(count: status.markerCount, " since the agent's start")
        }
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
        try line.append(count: status.radioResetCount, " resets", after: "; ")
        guard let silence = status.identityState?.silence else { return }
        try line.append("; ")
        try line.append(silence)
    }

    private static func writeLog(
        _ status: BoardStatus, to line: inout FixedBuffer<1024>
    ) throws(CapacityError) {
        try line.append(hex: status.logIdentity.span.extracting(0..<4))
        try line.append(status.isSealed ?? false ? ", encrypted, " : ", not encrypted, " as StaticString)
        try line.append(count: status.segmentCount, " segments, fetched through segment ")
        try line.append(decimal: status.syncedThrough.segmentOrdinal)
        if status.uncommittedEntryCount > 0 {
            try line.append(count: status.uncommittedEntryCount, " entries in memory", after: ", ")
        }
        if status.takesPages == false { try line.append("; the medium refuses new pages") }
    }

    private static func writeLosses(_ status: BoardStatus) {
        line("lost      ", unless: !StatusValues.hasLosses(status)) { line throws(CapacityError) in
            try line.append(count: status.droppedEntryCount, " entries dropped, ")
            try line.append(count: status.evictedPeerCount, " peers evicted, ")
            try line.append(count: status.turnedAwayCount, " reports refused by the full table, ")
            try line.append(count: status.lostSegmentCount, " segments overwritten before they were fetched")
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
}
