import BoardCommandLine
import CLinux
import Configuration
import DeviceSync
import FixedMemory

/// Checks the medium of the log, and what was lost of it.
struct LogCheck {
    let files: SystemFiles

    func run(
        _ configuration: AgentConfiguration, _ status: BoardStatus?, _ diagnosis: inout Diagnosis
    ) {
        let place = files.path("", configuration.log.path.span)
        let state = place.withCString { clinux_exists($0) }
        if state < 0 {
            diagnosis.report(.unknown, "log", .advice("look as root: sudo tabard doctor")) {
                line throws(CapacityError) in
                try line.append(place.span)
                try line.append("", systemError: -state)
            }
        } else {
            checkMedium(place, isThere: state == 1, configuration, &diagnosis)
        }
        if let status { checkContent(status, &diagnosis) }
    }

    private func checkMedium(
        _ place: SystemPath, isThere: Bool, _ configuration: AgentConfiguration,
        _ diagnosis: inout Diagnosis
    ) {
        if configuration.isLogOnDevice {
            if !isThere {
                diagnosis.report(
                    .fault, "log", "the device of log.path is not there",
                    .advice("attach it, or give another log.path"))
            }
            return
        }
        guard let folder = place.parent, folder.exists else {
            diagnosis.report(
                .fault, "log", "the folder of log.path is not there",
                .advice("create it, or run the agent as the service tabard, which does"))
            return
        }
        var found = clinux_file_system()
        guard folder.withCString({ clinux_file_system_of($0, &found) }) == 0 else { return }
        if found.is_read_only {
            let isStateFolder = folder.span.isEqual(to: "/var/lib/tabard")
            diagnosis.report(
                .fault, "log",
                isStateFolder
                    ? .run("sudo mount -o remount,rw \"$(findmnt -n -o TARGET -T /var/lib/tabard)\"")
                    : .advice("mount it for writing: sudo mount -o remount,rw, with its mount point")
            ) { line throws(CapacityError) in
                try line.append(folder.span)
                try line.append(": the file system is read-only")
            }
            return
        }
        // A log that is there has its space. Keys and settings need some more.
        let needed = isThere ? 1 << 20 : configuration.log.newLogByteCount
        guard found.free_byte_count < needed else { return }
        diagnosis.report(
            .fault, "log", .advice("remove what is not needed (sudo apt clean), or lower log.size_mebibytes")
        ) {
            line throws(CapacityError) in
            try line.append(folder.span)
            try line.append(": ")
            try line.append(decimal: found.free_byte_count >> 20)
            try line.append(" MiB are free, and ")
            try line.append(decimal: needed >> 20)
            try line.append(
                isThere ? " are needed for keys and settings" : " are needed for a new log" as StaticString)
        }
    }

    private func checkContent(_ status: BoardStatus, _ diagnosis: inout Diagnosis) {
        checkWrites(status, &diagnosis)
        if status.droppedEntryCount > 0 {
            diagnosis.report(
                .fault, "log", .advice("fetch the log with tabardctl sync, then replace the card")
            ) {
                line throws(CapacityError) in
                try line.append("the medium did not take ")
                try line.append(decimal: status.droppedEntryCount)
                try line.append(" entries")
            }
        }
        if status.lostSegmentCount > 0 {
            diagnosis.report(
                .warning, "log", .advice("fetch the log more often: tabardctl sync")
            ) {
                line throws(CapacityError) in
                try line.append(decimal: status.lostSegmentCount)
                try line.append(" segments were overwritten before anybody had fetched them")
            }
        }
        if status.isSealed == false {
            diagnosis.report(
                .warning, "log", "not encrypted: anyone who has the board can read it",
                .advice("give the board an owner's key: tabardctl setup or tabardctl provision"))
        }
        if status.droppedEntryCount == 0, status.takesPages ?? true {
            diagnosis.report(.good, "log") { line throws(CapacityError) in
                try line.append(decimal: status.segmentCount)
                try line.append(" segments, fetched through segment ")
                try line.append(decimal: status.syncedThrough.segmentOrdinal)
            }
        }
    }

    private func checkWrites(_ status: BoardStatus, _ diagnosis: inout Diagnosis) {
        if status.takesPages == false {
            diagnosis.report(
                .fault, "log", "the medium refuses new pages, and entries wait in memory",
                .advice(
                    "make room, or mount it for writing; if it stays so, fetch the log and replace the card"))
        } else if status.flashFailureCount > 0 {
            diagnosis.report(
                .warning, "log", .advice("if the number grows, fetch the log and replace the card")
            ) { line throws(CapacityError) in
                try line.append("the medium has failed ")
                try line.append(decimal: status.flashFailureCount)
                try line.append(" times to write or erase")
            }
        }
    }
}
