import BoardCommandLine
import Configuration
import FixedMemory

/// The command `tabard config`: prints each effective value, and where it was set.
enum ConfigCommand {
    static func run(_ arguments: inout Arguments) -> Int32 {
        var exitCode = ExitCode.success
        guard let configuration = ConfigurationLoader.load(&arguments, exitCode: &exitCode) else {
            return exitCode
        }
        var text = FixedBuffer<8192>()
        // The buffer holds every possible text; too little space would be a bug in this program.
        do throws(CapacityError) { try configuration.write(to: &text) } catch { return ExitCode.software }
        Output.write(text.span, to: 1)
        return ExitCode.success
    }
}
