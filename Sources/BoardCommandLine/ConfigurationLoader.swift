import CLinux
import Configuration
import FixedMemory
import LinuxPlatform

/// Reads the configuration file and applies the command-line options to it, for both `run` and `config`.
package enum ConfigurationLoader {
    private static let standardPath: StaticString = "/etc/tabard/tabard.toml"
    private static let largestFileByteCount = 65_536

    /// Returns nil after an error that it has reported; `exitCode` is then set. With `isForReplay` no
    /// location is required, because a replay reports nothing about a place.
    package static func load(
        _ arguments: inout Arguments, isForReplay: Bool = false, exitCode: inout Int32
    ) -> EffectiveConfiguration? {
        var configuration = EffectiveConfiguration()
        var options = arguments
        guard let path = configurationPath(arguments, exitCode: &exitCode) else { return nil }
        guard readFiles(path, into: &configuration, exitCode: &exitCode) else { return nil }
        do throws(ConfigurationError) {
            while let option = options.next() {
                // The options were checked while the path was determined.
                guard let value = options.next() else { break }
                if option == "--hci" {
                    try configuration.override(.hci, with: value.span)
                } else if option == "--sync" {
                    try configuration.override(.syncPort, with: value.span)
                } else if option == "--log" {
                    try configuration.override(.logPath, with: value.span)
                } else if option == "--snoop" {
                    try configuration.override(.snoopFile, with: value.span)
                } else if option == "--set" {
                    try configuration.apply(value.span)
                }
            }
            if !isForReplay {
                guard readChanges(into: &configuration, exitCode: &exitCode) else { return nil }
            }
            if isForReplay, configuration.values.herald.location == nil,
                configuration.values.herald.clientIdentifier == nil
            {
                var anywhere = Bytes<1>()
                anywhere[0] = UInt8(ascii: "0")
                try configuration.override(.location, with: anywhere.span)
            }
            try configuration.validate()
            configuration.reportRenamedKeys(fileName: path.span) { report in
                Output.error { line throws(CapacityError) in try line.append(report) }
            }
            arguments = options
            return configuration
        } catch {
            var line = FixedBuffer<1024>()
            try? error.write(to: &line, fileName: path.span)
            Output.error { output throws(CapacityError) in try output.append(line.span) }
            if case .commandLine = error.origin {
                exitCode = ExitCode.usage
            } else {
                exitCode = ExitCode.data
            }
            return nil
        }
    }

    /// Reads a configuration file, the standard one for nil, and its local file. No change over the sync port
    /// counts.
    /// - Returns: the configuration, not validated, and the local file's path; nil after an error that it has
    ///   reported.
    package static func loadFiles(
        _ file: Argument?, exitCode: inout Int32
    ) -> (configuration: EffectiveConfiguration, localFile: FixedText<256>)? {
        let path = file.map { Path($0) } ?? Path.standard
        guard let local = EffectiveConfiguration.localFile(besides: path.span) else {
            exitCode = ExitCode.usage
            _ = fail(path.pointer, "has no local file beside it; its name must end with .toml", 0)
            return nil
        }
        var configuration = EffectiveConfiguration()
        guard readFiles(path, into: &configuration, exitCode: &exitCode) else { return nil }
        return (configuration, local)
    }

    /// Reads the changes set over the sync port, if there are any.
    /// - Returns: false after an error that it has reported.
    package static func readChanges(
        into configuration: inout EffectiveConfiguration, exitCode: inout Int32
    ) -> Bool {
        guard let changes = configuration.values.changesFile else { return true }
        return changes.withCString {
            read($0, isOptional: true, as: .changes, into: &configuration, exitCode: &exitCode)
        }
    }

    private static func readFiles(
        _ path: Path, into configuration: inout EffectiveConfiguration, exitCode: inout Int32
    ) -> Bool {
        guard read(path.pointer, isOptional: path.isOptional, into: &configuration, exitCode: &exitCode)
        else {
            return false
        }
        guard let local = EffectiveConfiguration.localFile(besides: path.span) else { return true }
        return local.withCString {
            read($0, isOptional: true, as: .local, into: &configuration, exitCode: &exitCode)
        }
    }

    private struct Path {
        let pointer: UnsafePointer<CChar>
        let count: Int
        /// The standard file may be missing.
        let isOptional: Bool

        static var standard: Path {
            Path(pointer: standardPath.cString, count: standardPath.utf8CodeUnitCount, isOptional: true)
        }

        private init(pointer: UnsafePointer<CChar>, count: Int, isOptional: Bool) {
            self.pointer = pointer
            self.count = count
            self.isOptional = isOptional
        }

        init(_ file: Argument) {
            self.init(pointer: file.pointer, count: file.count, isOptional: false)
        }

        var span: Span<UInt8> {
            @_lifetime(immortal) get {
                let bytes = UnsafeRawPointer(pointer).assumingMemoryBound(to: UInt8.self)
                return _overrideLifetime(Span(_unsafeStart: bytes, count: count), copying: ())
            }
        }
    }

    /// Whether the argument is an option. Every option takes a value, the argument after it.
    @inline(never)
    package static func isOption(_ word: Argument) -> Bool {
        word == "--config" || word == "--hci" || word == "--sync" || word == "--log" || word == "--snoop"
            || word == "--set"
    }

    /// Returns the last file that an option names, and checks every option.
    private static func configurationPath(_ arguments: Arguments, exitCode: inout Int32) -> Path? {
        var options = arguments
        var path = Path.standard
        while let option = options.next() {
            guard isOption(option) else {
                return refuse(option, " is not an option of this command", &exitCode)
            }
            guard let value = options.next() else { return refuse(option, " needs a value", &exitCode) }
            if option == "--config" {
                path = Path(value)
            }
        }
        return path
    }

    private static func refuse<Result>(
        _ option: Argument, _ what: StaticString, _ exitCode: inout Int32
    ) -> Result? {
        exitCode = ExitCode.usage
        Output.error { line throws(CapacityError) in
            try line.append(option.span)
            try line.append(what)
            try line.append("; tabard --help lists the options")
        }
        return nil
    }

    private static func read(
        _ path: UnsafePointer<CChar>, isOptional: Bool, as kind: EffectiveConfiguration.FileKind = .main,
        into configuration: inout EffectiveConfiguration, exitCode: inout Int32
    ) -> Bool {
        let descriptor = clinux_open_read(path)
        if isOptional, descriptor == -CLINUX_ENOENT { return true }
        guard descriptor >= 0 else {
            exitCode = -descriptor == CLINUX_EACCES ? ExitCode.permission : ExitCode.noInput
            return fail(path, "cannot open the file", -descriptor)
        }
        defer { _ = clinux_close(descriptor) }
        guard var file = try? FixedArray<UInt8>(zeroed: largestFileByteCount) else {
            exitCode = ExitCode.tryAgain
            return fail(path, "cannot read the file: no memory; try again", 0)
        }
        var count = 0
        while count < largestFileByteCount {
            let read = file.withUnsafeMutableBytes(in: count..<largestFileByteCount) {
                clinux_read(descriptor, $0.baseAddress, $0.count)
            }
            guard read >= 0 else {
                exitCode = ExitCode.inputOutput
                return fail(path, "cannot read the file", Int32(truncatingIfNeeded: -read))
            }
            if read == 0 { break }
            count += Int(read)
        }
        guard count < largestFileByteCount else {
            exitCode = ExitCode.data
            return fail(path, "longer than 64 KiB; check that it is a configuration", 0)
        }
        do throws(ConfigurationError) {
            let text = file.span.extracting(0..<count)
            try configuration.read(text, as: kind)
            return true
        } catch {
            exitCode = ExitCode.data
            Output.error { line throws(CapacityError) in
                var name = FixedBuffer<300>()
                try name.append(cString: path)
                try error.write(to: &line, fileName: name.span)
            }
            return false
        }
    }

    private static func fail(_ path: UnsafePointer<CChar>, _ what: StaticString, _ number: Int32) -> Bool {
        Output.error { line throws(CapacityError) in
            try line.append(cString: path)
            try line.append(": ")
            try line.append(what)
            if number != 0 {
                try line.append(": ")
                try line.append(systemError: number)
            }
        }
        return false
    }
}
