import BoardCommandLine
import CLinux
import FixedMemory
import LinuxPlatform

/// The devices that the panel uses: those named, or else those that the board has.
struct PanelDevices {
    var light: Light?
    var buttons = Buttons()
    var supply = PowerSupply.none
    var lowLine: LowLine?

    /// - Parameter exitCode: why the devices cannot be used, after an error message.
    static func open(
        _ options: PanelOptions, _ files: SystemFiles, readiness: Readiness, exitCode: inout Int32
    ) -> PanelDevices? {
        var devices = PanelDevices()
        exitCode = ExitCode.unavailable
        if let word = options.light {
            if !(word == "off") {
                guard let light = Light(name: word.span, in: files) else {
                    PanelOptions.refuse(
                        word, "--light", "no LED that this program may set; ls /sys/class/leds lists them")
                    return nil
                }
                devices.light = light
            }
        } else {
            devices.light = Light.find(in: files)
        }
        if let word = options.button {
            if !(word == "off") {
                let error = devices.buttons.take(path(word), readiness: readiness)
                guard error == 0 else {
                    fail(word, "--button", error)
                    return nil
                }
            }
        } else {
            devices.buttons = Buttons.find(in: files, readiness: readiness)
        }
        if let word = options.helper {
            devices.supply = .helper(path(word))
        } else if let word = options.battery {
            if !(word == "off") {
                guard let supply = PowerSupply.named(word.span, in: files) else {
                    PanelOptions.refuse(
                        word, "--battery", "no such battery; ls /sys/class/power_supply lists them")
                    return nil
                }
                devices.supply = supply
            }
        } else {
            devices.supply = PowerSupply.find(in: files)
        }
        if let word = options.lowLine {
            guard let parts = LowLine.parts(of: word.span) else {
                exitCode = ExitCode.usage
                PanelOptions.refuse(
                    word, "--low-line", "write chip and line: /dev/gpiochip0:17, or /dev/gpiochip0:17:low")
                return nil
            }
            do throws(SystemError) {
                devices.lowLine = try LowLine.open(parts, readiness: readiness)
            } catch {
                fail(word, "--low-line", error.number)
                return nil
            }
        }
        return devices
    }

    var isEmpty: Bool {
        if case .none = supply { return light == nil && buttons.isEmpty && lowLine == nil }
        return false
    }

    var hasBattery: Bool {
        if case .none = supply { return lowLine != nil }
        return true
    }

    private static func path(_ word: Argument) -> SystemPath {
        var path = SystemPath()
        path.append(word.span)
        return path
    }

    private static func fail(_ value: Argument, _ option: StaticString, _ error: Int32) {
        Output.error { line throws(CapacityError) in
            try line.append(option)
            try line.append(" ")
            try line.append(value.span)
            try line.append("", systemError: error)
            try line.append("; give another device, or off")
        }
    }
}
