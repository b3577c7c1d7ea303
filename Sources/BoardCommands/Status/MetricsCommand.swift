import BoardCommandLine
import CLinux
import DeviceSync
import FixedMemory

/// The command `tabard metrics`: the running agent's status as metrics, for Prometheus's node exporter.
enum MetricsCommand {
    static func run(_ arguments: inout Arguments) -> Int32 {
        let socket =
            arguments.takeOption("--socket", pairs: isOption)?.pointer ?? StatusRequest.standardSocket
        let output = arguments.takeOption("--output", pairs: isOption)
        guard !arguments.refusesRest(of: "metrics", usage: "tabard metrics [--output FILE]") else {
            return ExitCode.usage
        }
        var text = FixedBuffer<8192>()
        var exitCode = ExitCode.success
        do throws(StatusRequest.Failure) {
            let status = try StatusRequest.send(to: socket)
            try? MetricsText.write(status, to: &text)
        } catch {
            // The file must not look as if the agent still ran.
            try? MetricsText.writeDown(to: &text)
            exitCode = StatusCommand.report(error, socket)
        }
        guard let output else {
            Output.write(text.span, to: 1)
            return exitCode
        }
        let bytes = text.span
        let status = bytes.withUnsafeBytes { clinux_make_readable(output.pointer, $0.baseAddress, $0.count) }
        guard status < 0 else { return exitCode }
        Output.error { line throws(CapacityError) in
            try line.append(output.span)
            try line.append("", systemError: -status)
            try line.append("; create the folder, or run the command as a user who may write there")
        }
        return -status == CLINUX_EACCES ? ExitCode.permission : ExitCode.inputOutput
    }

    @inline(never)
    private static func isOption(_ word: Argument) -> Bool { word == "--socket" || word == "--output" }
}
