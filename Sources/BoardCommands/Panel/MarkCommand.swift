import Agent
import BoardCommandLine
import CLinux
import EncounterLog
import FixedMemory
import LinuxPlatform

/// The command `tabard mark`: marks this moment in the log, as the board's button does.
enum MarkCommand {
    private static let timeoutMilliseconds: Int32 = 5_000
    private static let socket: StaticString = "/run/tabard/control"

    static func run(_ arguments: inout Arguments) -> Int32 {
        let path = arguments.takeOption("--socket", pairs: { $0 == "--socket" })?.pointer ?? socket.cString
        guard !arguments.refusesRest(of: "mark", usage: "tabard mark [--socket PATH]") else {
            return ExitCode.usage
        }
        let datagram = BoardRequest.mark(.command).datagram
        var answer: UInt8 = 0
        let count = datagram.span.withUnsafeBytes { bytes in
            withUnsafeMutablePointer(to: &answer) {
                clinux_ask(path, bytes.baseAddress, bytes.count, $0, 1, timeoutMilliseconds)
            }
        }
        guard count == 1 else { return fail(path, Int32(truncatingIfNeeded: -count)) }
        if answer == BoardAnswer.done.rawValue { return ExitCode.success }
        Output.error { line throws(CapacityError) in
            try line.append(
                answer == BoardAnswer.notWritten.rawValue
                    ? "mark: the log's medium did not take it; run tabard doctor"
                    : "mark: the agent does not know this request; restart it after an upgrade"
                        as StaticString)
        }
        return answer == BoardAnswer.notWritten.rawValue ? ExitCode.inputOutput : ExitCode.unavailable
    }

    private static func fail(_ path: UnsafePointer<CChar>, _ error: Int32) -> Int32 {
        let isForbidden = error == CLINUX_EACCES || error == CLINUX_EPERM
        Output.error { line throws(CapacityError) in
            try line.append(cString: path)
            try line.append(
                isForbidden ? ": not permitted" : ": no agent answers", systemError: error)
            try line.append(
                isForbidden
                    ? "; run: sudo tabard mark" : "; look at systemctl status tabard, or run tabard doctor")
        }
        return isForbidden ? ExitCode.permission : ExitCode.unavailable
    }
}
