import BoardCommandLine
import CLinux
import FixedMemory
import LinuxPlatform

/// The commands that are in a program of their own, `tabard-commands`, so that the agent stays small.
enum OtherCommands {
    private static let program: StaticString = "tabard-commands"

    /// Becomes that program. It stands beside this one, or where the package installs it.
    /// - Returns: only if that failed.
    static func run(_ command: Argument, _ arguments: Arguments) -> Int32 {
        let status = arguments.withWords { clinux_execute_beside(program.cString, $0) }
        Output.error { line throws(CapacityError) in
            try line.append(command.span)
            try line.append(": cannot run tabard-commands", systemError: -status)
            try line.append("; install the package tabard again")
        }
        return ExitCode.unavailable
    }
}
