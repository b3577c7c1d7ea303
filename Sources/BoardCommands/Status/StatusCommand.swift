import BoardCommandLine
import CLinux
import DeviceSync
import FixedMemory

/// The command `tabard status`: asks the running agent for the board's status, and prints it.
enum StatusCommand {
    static func run(_ arguments: inout Arguments) -> Int32 {
        let isJSON = arguments.takeFlag("--json", pairs: isOption)
        let path = arguments.takeOption("--socket", pairs: isOption)?.pointer ?? StatusRequest.standardSocket
        guard !arguments.refusesRest(of: "status", usage: "tabard status [--json] [--socket PATH]") else {
            return ExitCode.usage
        }
        do throws(StatusRequest.Failure) {
            let status = try StatusRequest.send(to: path)
            if isJSON { StatusDocument.write(status) } else { StatusText.write(status) }
            return ExitCode.success
        } catch {
            return report(error, path)
        }
    }

    @inline(never)
    private static func isOption(_ word: Argument) -> Bool { word == "--socket" }

    static func report(_ failure: StatusRequest.Failure, _ path: UnsafePointer<CChar>) -> Int32 {
        Output.error { line throws(CapacityError) in
            try line.append(cString: path)
            switch failure {
            case .system(let number):
                try line.append(": no agent answers", systemError: number)
                try line.append("; look at systemctl status tabard, or run tabard doctor")
            case .strange:
                try line.append(": the answer is not a board's status; give the agent's socket with --socket")
            }
        }
        if case .system = failure { return ExitCode.unavailable }
        return ExitCode.data
    }
}
