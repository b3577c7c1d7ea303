import BoardCommandLine
import CLinux
import FixedMemory
import LinuxPlatform
import Updates

/// The program by which the service starts the agent: `tabard-commands launch PROGRAM ARGUMENT...`. It starts
/// the update that the record names, or else the installed program (docs/updates.md).
enum LaunchCommand {
    /// An agent on trial that has not confirmed itself by then is ended, and that start has failed.
    private static let trialSeconds: UInt32 = 300

    static func run(_ arguments: inout Arguments) -> Int32 {
        let given = arguments.takeLeadingOption("--trial-seconds").flatMap { seconds(in: $0) }
        var rest = arguments
        guard let program = rest.next() else {
            Output.error { line throws(CapacityError) in
                try line.append("launch: give the program that the package has installed, and its arguments")
            }
            return ExitCode.usage
        }
        startUpdate(arguments, program, trialSeconds: given ?? trialSeconds)
        let status = arguments.withRest { clinux_launch(-1, program.pointer, $0, 0) }
        Output.error { line throws(CapacityError) in
            try line.append(program.span)
            try line.append(": cannot be started", systemError: -status)
            try line.append("; install the package tabard again")
        }
        return ExitCode.unavailable
    }

    /// Becomes the agent in the slot of the record. Returns if there is none that can be started.
    private static func startUpdate(_ arguments: Arguments, _ program: Argument, trialSeconds: UInt32) {
        let files = UpdateFiles()
        // An agent that ended while it received a file has left a part of it.
        clinux_remove_update_part()
        var record = files.record
        while record.slot != .package {
            if let reason = start(&record, files, arguments, program, trialSeconds: trialSeconds) {
                say(record, reason)
            } else {
                return say(record, "cannot be read now; the package's agent runs until the next start")
            }
            record.fallBack()
            // If that cannot be stored, the next start decides anew.
            _ = files.store(record)
        }
    }

    /// Becomes the agent in the present slot.
    /// - Returns: why the board goes back; nil if the system could not read the update now.
    private static func start(
        _ record: inout UpdateRecord, _ files: UpdateFiles, _ arguments: Arguments, _ program: Argument,
        trialSeconds: UInt32
    ) -> StaticString? {
        guard record.countStart() else {
            return "has not shown in three starts that it runs well; the board goes back"
        }
        // Without the count a broken agent would be started for ever.
        guard record.state == .confirmed || files.store(record) else {
            return "cannot be tried, because the medium takes no record of its starts; the board goes back"
        }
        do throws(UpdateImage.Flaw) {
            let image = try UpdateImage(slot: record.slot, operatorKey: record.operatorKey)
            start(image, record, arguments, program, trialSeconds: trialSeconds)
            return "cannot be started; the board goes back"
        } catch {
            guard error == .refused else { return nil }
            return "is damaged, older than the package, or not signed by the operator; the board goes back"
        }
    }

    /// Returns if the image cannot be started.
    private static func start(
        _ image: UpdateImage, _ record: UpdateRecord, _ arguments: Arguments, _ program: Argument,
        trialSeconds: UInt32
    ) {
        let slot = Int32(record.slot.rawValue)
        _ = arguments.withRest {
            record.state == .trial
                ? clinux_try(image.descriptor, $0, slot, trialSeconds)
                : clinux_launch(image.descriptor, program.pointer, $0, slot)
        }
    }

    @inline(never)
    private static func say(_ record: UpdateRecord, _ what: StaticString) {
        Output.error { line throws(CapacityError) in
            try line.append("update: version ")
            try StatusValues.write(version: record.version, to: &line)
            try line.append(" ")
            try line.append(what)
        }
    }

    /// 1 to 99,999.
    private static func seconds(in word: Argument) -> UInt32? {
        var value: UInt32 = 0
        guard (1...5).contains(word.count) else { return nil }
        for index in word.span.indices {
            guard case UInt8(ascii: "0")...UInt8(ascii: "9") = word.span[index] else { return nil }
            value = value * 10 + UInt32(word.span[index] - UInt8(ascii: "0"))
        }
        return value
    }
}
