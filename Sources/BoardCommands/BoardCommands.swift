import BoardCommandLine
import CLinux
import Cryptography
import FixedMemory

/// Runs the commands of `tabard` that are not the agent's. main.c calls it with the words of that program's
/// command line.
@c(tabard_commands_main)
public func tabardCommandsMain(_ count: Int32, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>)
    -> Int32
{
    clinux_report_traps()
    CryptographyMemory.useFixedPool()
    var arguments = Arguments(count: Int(count), words)
    return Output.exitCode(after: run(&arguments))
}

private func run(_ arguments: inout Arguments) -> Int32 {
    if let command = arguments.next() {
        if command == "replay" { return ReplayCommand.run(&arguments) }
        if command == "status" { return StatusCommand.run(&arguments) }
        if command == "metrics" { return MetricsCommand.run(&arguments) }
        if command == "doctor" { return DoctorCommand.run(&arguments) }
        if command == "setup" { return SetupCommand.run(&arguments) }
        if command == "launch" { return LaunchCommand.run(&arguments) }
        if command == "panel" { return PanelCommand.run(&arguments) }
        if command == "mark" { return MarkCommand.run(&arguments) }
    }
    Output.error { line throws(CapacityError) in
        try line.append("tabard-commands is a part of tabard; run tabard COMMAND, and tabard --help for all")
    }
    return ExitCode.usage
}
