import Configuration
import FixedMemory

/// `tabard config`: what is in force, and who set it.
enum ConfigCommand {
    static func run(_ arguments: inout Arguments) -> Int32 {
        var exitCode = ExitCode.success
        guard let configuration = ConfigurationLoader.load(&arguments, exitCode: &exitCode) else {
            return exitCode
        }
        var text = FixedBuffer<8192>()
        // No room for it would be a mistake in this program.
        do throws(CapacityError) { try configuration.write(to: &text) } catch { return ExitCode.software }
        Output.write(text.span, to: 1)
        return ExitCode.success
    }
}
