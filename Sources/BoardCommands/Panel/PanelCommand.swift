import BoardCommandLine
import CLinux
import FixedMemory
import LinuxPlatform

/// The command `tabard panel`: shows the board's state by a light, takes presses of its button, and watches
/// its battery (docs/panel.md).
enum PanelCommand {
    static func run(_ arguments: inout Arguments) -> Int32 {
        guard let options = PanelOptions.take(from: &arguments) else { return ExitCode.usage }
        let clock = LinuxClock()
        let files = SystemFiles(folder: options.system)
        do throws(SystemError) {
            let readiness = try Readiness()
            let signals = try SystemError.check(clinux_signal_descriptor())
            try readiness.add(signals)
            var exitCode = ExitCode.success
            guard let devices = PanelDevices.open(options, files, readiness: readiness, exitCode: &exitCode)
            else { return exitCode }
            guard !devices.isEmpty else {
                Output.error { line throws(CapacityError) in
                    try line.append("panel: the board has no light, button or battery; nothing to do")
                }
                return ExitCode.success
            }
            guard var panel = try? Panel(devices, options, files, readiness: readiness) else {
                throw SystemError(number: Int32(CLINUX_ENOMEM))
            }
            while clinux_read_signal(signals) < 0 {
                readiness.wait(until: panel.step(now: clock.now), clock: clock)
            }
            panel.end()
            return ExitCode.success
        } catch {
            Output.error { line throws(CapacityError) in
                try line.append("panel", systemError: error.number)
            }
            return ExitCode.unavailable
        }
    }
}
