import BoardCommandLine
import CLinux
import Cryptography
import FixedMemory
import LinuxPlatform
import ProductVersion

/// Runs the agent's command line. main.c calls it, because Embedded Swift has no `CommandLine`.
@c(tabard_main)
public func tabardMain(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>)
    -> Int32
{
    clinux_report_traps()
    CryptographyMemory.useFixedPool()
    var arguments = Arguments(count: Int(count), arguments)
    return Output.exitCode(after: run(&arguments))
}

private func run(_ arguments: inout Arguments) -> Int32 {
    let command = arguments.next()
    if let command, let code = run(command, &arguments) { return code }
    Output.error { line throws(CapacityError) in
        if let command {
            try line.append("no such command: ")
            try line.append(command.span)
            try line.append("; ")
        }
        try line.append("commands: run, setup, status, metrics, doctor, mark, panel, config, replay, ")
        try line.append("selftest; ")
        try line.append("tabard --help prints all")
    }
    return ExitCode.usage
}

/// Returns nil if there is no such command.
private func run(_ command: Argument, _ arguments: inout Arguments) -> Int32? {
    if arguments.asksForHelp || command == "--help" || command == "-h" || command == "help" {
        Usage.write()
        return ExitCode.success
    }
    if command == "run" { return RunCommand.run(&arguments) }
    if command == "config" { return ConfigCommand.run(&arguments) }
    if command == "selftest" { return SelfTestCommand.run(&arguments) }
    if command == "replay" || command == "status" || command == "metrics" || command == "doctor"
        || command == "setup" || command == "panel" || command == "mark"
    {
        return OtherCommands.run(command, arguments)
    }
    if command == "--version" || command == "version" {
        Output.line { line throws(CapacityError) in
            try line.append("tabard ")
            try ProductVersion.write(to: &line)
            try line.append(" ")
            try line.append(cString: clinux_architecture())
        }
        return ExitCode.success
    }
    return nil
}
