import BoardCommandLine
import CLinux
import Configuration
import DeviceSync
import FixedMemory

/// The command `tabard doctor`: looks for everything that keeps a board from its work, and names what mends
/// it.
enum DoctorCommand {
    static func run(_ arguments: inout Arguments) -> Int32 {
        var diagnosis = Diagnosis(isJSON: arguments.takeFlag("--json", pairs: isOption))
        let folder = arguments.takeOption("--system", pairs: isOption)
        let socket = arguments.takeOption("--socket", pairs: isOption)
        let files = SystemFiles(folder: folder)
        var exitCode = ExitCode.success
        guard let effective = ConfigurationLoader.load(&arguments, exitCode: &exitCode) else {
            // The reason is on standard error.
            guard exitCode != ExitCode.usage else { return exitCode }
            diagnosis.report(
                .fault, "configuration", "the agent refuses it, for the reason above",
                .advice("correct it, then run: sudo systemctl restart tabard"))
            diagnosis.finish()
            return exitCode
        }
        let configuration = effective.values
        diagnosis.report(.good, "configuration", "the agent accepts it")
        let agent = AgentCheck(files: files, socket: socket?.pointer)
        let status = agent.run(configuration, &diagnosis)
        ControllerCheck(files: files).run(configuration, status, &diagnosis)
        SyncPortCheck(files: files).run(configuration.sync.port, &diagnosis)
        LogCheck(files: files).run(configuration, status, &diagnosis)
        PowerCheck(files: files).run(&diagnosis)
        diagnosis.finish()
        return diagnosis.faultCount > 0 ? ExitCode.unavailable : ExitCode.success
    }

    @inline(never)
    private static func isOption(_ word: Argument) -> Bool {
        word == "--system" || word == "--socket" || ConfigurationLoader.isOption(word)
    }
}
