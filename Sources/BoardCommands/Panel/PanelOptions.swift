import BoardCommandLine
import CLinux
import FixedMemory
import LinuxPlatform

/// The options of `tabard panel`.
struct PanelOptions {
    var light: Argument?
    var button: Argument?
    var battery: Argument?
    var helper: Argument?
    var lowLine: Argument?
    var lowPercent: UInt8 = 10
    var stopPercent: UInt8 = 3
    /// Whether a hold of the button powers the board off.
    var stopsOnHold = true
    /// The folder with the agent's sockets; nil for the service's own.
    var agent: Argument?
    var system: Argument?

    static let usage: StaticString = """
        tabard panel [--light NAME] [--button DEVICE] [--battery NAME] [--battery-helper PROGRAM] \
        [--low-line CHIP:LINE[:low]] [--low PERCENT] [--stop PERCENT] [--hold poweroff|off]
        """

    /// - Returns: nil after an error message.
    static func take(from arguments: inout Arguments) -> PanelOptions? {
        var options = PanelOptions()
        options.light = arguments.takeOption("--light", pairs: isOption)
        options.button = arguments.takeOption("--button", pairs: isOption)
        options.battery = arguments.takeOption("--battery", pairs: isOption)
        options.helper = arguments.takeOption("--battery-helper", pairs: isOption)
        options.lowLine = arguments.takeOption("--low-line", pairs: isOption)
        options.agent = arguments.takeOption("--agent", pairs: isOption)
        options.system = arguments.takeOption("--system", pairs: isOption)
        if let word = arguments.takeOption("--low", pairs: isOption) {
            guard let percent = percent(word, "--low") else { return nil }
            options.lowPercent = percent
        }
        if let word = arguments.takeOption("--stop", pairs: isOption) {
            guard let percent = percent(word, "--stop") else { return nil }
            options.stopPercent = percent
        }
        if let word = arguments.takeOption("--hold", pairs: isOption) {
            guard word == "poweroff" || word == "off" else {
                refuse(word, "--hold", "write poweroff, or off for a button that only marks")
                return nil
            }
            options.stopsOnHold = word == "poweroff"
        }
        return arguments.refusesRest(of: "panel", usage: usage) ? nil : options
    }

    /// The path of one of the agent's sockets.
    func socket(_ name: StaticString) -> SystemPath {
        var path = SystemPath()
        if let agent { path.append(agent.span) } else { path.append("/run/tabard") }
        path.append(name)
        return path
    }

    /// Says why an option's value cannot be used.
    @inline(never)
    static func refuse(_ value: Argument, _ option: StaticString, _ reason: StaticString) {
        Output.error { line throws(CapacityError) in
            try line.append(option)
            try line.append(" ")
            try line.append(value.span)
            try line.append(": ")
            try line.append(reason)
        }
    }

    private static func percent(_ word: Argument, _ option: StaticString) -> UInt8? {
        var value = 0
        for index in word.span.indices {
            guard case UInt8(ascii: "0")...UInt8(ascii: "9") = word.span[index], value < 100 else {
                value = 1_000
                break
            }
            value = value * 10 + Int(word.span[index] - UInt8(ascii: "0"))
        }
        guard word.count > 0, value <= 100 else {
            refuse(word, option, "write a charge in percent, 0 to 100")
            return nil
        }
        return UInt8(value)
    }

    @inline(never)
    private static func isOption(_ word: Argument) -> Bool {
        word == "--light" || word == "--button" || word == "--battery" || word == "--battery-helper"
            || word == "--low-line" || word == "--low" || word == "--stop" || word == "--hold"
            || word == "--agent" || word == "--system"
    }
}
