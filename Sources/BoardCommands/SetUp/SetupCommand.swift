import BoardCommandLine
import CLinux
import Configuration
import FixedMemory

/// The command `tabard setup`: makes a board a beacon of a venue, or a wearable, by the local file beside its
/// configuration, and gives it the keys of its owner and operator.
enum SetupCommand {
    static func run(_ arguments: inout Arguments) -> Int32 {
        var exitCode = ExitCode.success
        let ownerFile = arguments.takeOption("--opening", pairs: isOption)
        let operatorFile = arguments.takeOption("--operator", pairs: isOption)
        let file = arguments.takeOption("--config", pairs: isOption)
        guard let keys = SetupKeys(ownerFile: ownerFile, operatorFile: operatorFile, exitCode: &exitCode),
            let loaded = ConfigurationLoader.loadFiles(file, exitCode: &exitCode)
        else { return exitCode }
        var configuration = loaded.configuration
        guard let count = take(&arguments, into: &configuration, exitCode: &exitCode) else { return exitCode }
        // Keys may be given before anybody knows the place.
        if count == 0, !keys.isEmpty { return keys.store(configuration.values) }
        if count == 0 {
            guard clinux_is_terminal(0) else {
                report("setup: nothing to set; give --venue-number and --name, or --role wearable")
                return ExitCode.usage
            }
            guard SetupQuestions.ask(&configuration) else {
                report("setup: nothing was changed")
                return ExitCode.tryAgain
            }
        }
        guard isPossible(configuration, &exitCode) else { return exitCode }
        exitCode = keys.store(configuration.values)
        guard exitCode == ExitCode.success else { return exitCode }
        return write(configuration, to: loaded.localFile)
    }

    @inline(never)
    private static func isOption(_ word: Argument) -> Bool {
        word == "--opening" || word == "--operator" || word == "--config" || word == "--set"
            || key(of: word) != nil
    }

    /// The key that an option sets.
    private static func key(of option: Argument) -> ConfigurationKey? {
        if option == "--role" { return .role }
        if option == "--venue-number" { return .location }
        if option == "--country" { return .country }
        if option == "--state" { return .state }
        if option == "--name" { return .name }
        if option == "--area" { return .area }
        if option == "--url" { return .url }
        return nil
    }

    /// Takes all settings from the command line.
    /// - Returns: their number; nil after an error that it has reported.
    private static func take(
        _ arguments: inout Arguments, into configuration: inout EffectiveConfiguration, exitCode: inout Int32
    ) -> Int? {
        var count = 0
        while let option = arguments.next() {
            let key = key(of: option)
            guard key != nil || option == "--set", let value = arguments.next() else {
                exitCode = ExitCode.usage
                Output.error { line throws(CapacityError) in
                    try line.append("setup: ")
                    try line.append(option.span)
                    try line.append(": not an option with its value; tabard --help lists the options")
                }
                return nil
            }
            do throws(ConfigurationError) {
                if let key {
                    try configuration.setLocally(key, to: value.span)
                } else {
                    try configuration.apply(value.span, from: .localFile(line: 0))
                }
            } catch {
                exitCode = ExitCode.usage
                report(error)
                return nil
            }
            count += 1
        }
        return count
    }

    /// Checks all settings together, and that nothing that was set over the cable hides one of them.
    private static func isPossible(_ configuration: EffectiveConfiguration, _ exitCode: inout Int32) -> Bool {
        exitCode = ExitCode.usage
        guard configuration.values.isSetUp else {
            report("setup: a beacon needs --venue-number, or --set herald.client_id= for one without a venue")
            return false
        }
        do throws(ConfigurationError) { try configuration.validate() } catch {
            report(error)
            return false
        }
        exitCode = ExitCode.success
        var effective = configuration
        guard ConfigurationLoader.readChanges(into: &effective, exitCode: &exitCode) else { return false }
        guard let key = configuration.locallySetKey(hiddenIn: effective) else { return true }
        exitCode = ExitCode.data
        Output.error { line throws(CapacityError) in
            try line.append("setup: ")
            try key.writeName(to: &line)
            try line.append(" was set over the cable, which counts more; set it there with tabardctl config")
        }
        return false
    }

    private static func write(_ configuration: EffectiveConfiguration, to file: FixedText<256>) -> Int32 {
        var text = FixedBuffer<8192>()
        try? text.append("# Written by tabard setup. It overrides the file without .local in its name.\n")
        try? configuration.writeLocal(to: &text)
        let bytes = text.span
        let status = file.withCString { path in
            bytes.withUnsafeBytes { clinux_make_readable(path, $0.baseAddress, $0.count) }
        }
        guard status >= 0 else {
            Output.error { line throws(CapacityError) in
                try line.append(file.span)
                try line.append("", systemError: -status)
                try line.append("; run it as root")
            }
            return -status == CLINUX_EACCES ? ExitCode.permission : ExitCode.inputOutput
        }
        Output.line { line throws(CapacityError) in
            try line.append(file.span)
            try line.append(": ")
            try writeSummary(configuration.values, to: &line)
        }
        Output.line { line throws(CapacityError) in
            try line.append("in force when the agent starts again: sudo systemctl restart tabard")
        }
        return ExitCode.success
    }

    private static func writeSummary(
        _ values: AgentConfiguration, to line: inout FixedBuffer<1024>
    ) throws(CapacityError) {
        guard values.agent.role == .beacon else { return try line.append("a wearable") }
        guard let location = values.herald.location else {
            return try line.append("a beacon without a venue")
        }
        try line.append("the beacon of venue ")
        try line.append(decimal: values.herald.country)
        try line.append("/")
        try line.append(decimal: values.herald.state)
        try line.append("/")
        try line.append(decimal: location)
        if !values.herald.name.isEmpty {
            try line.append(", ")
            try line.append(values.herald.name.span)
        }
        if !values.herald.area.isEmpty {
            try line.append(", ")
            try line.append(values.herald.area.span)
        }
    }

    private static func report(_ error: ConfigurationError) {
        Output.error { line throws(CapacityError) in
            try line.append("setup: ")
            try error.write(to: &line)
        }
    }

    private static func report(_ words: StaticString) {
        Output.error { line throws(CapacityError) in try line.append(words) }
    }
}
