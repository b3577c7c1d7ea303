import FixedMemory

/// The configuration that the agent uses, and the source of each value: the default, a line of the file, the
/// command line, or the sync port.
///
///     var configuration = EffectiveConfiguration()
///     try configuration.read(fileBytes)
///     try configuration.override(.hci, with: argumentBytes)
///     try configuration.validate()
///     start(configuration.values)
public struct EffectiveConfiguration: BitwiseCopyable, Sendable {
    public private(set) var values = AgentConfiguration()
    private var origins = InlineArray<52, ConfigurationOrigin>(repeating: .standard)
    /// A bit for each key that was set by its former name.
    private var formerNames: UInt64 = 0

    /// Makes a configuration with the defaults.
    public init() {}

    public func origin(of key: ConfigurationKey) -> ConfigurationOrigin { origins[Int(key.rawValue)] }

    /// Whether the key was set by the name that it had in earlier versions.
    func usesFormerName(of key: ConfigurationKey) -> Bool { formerNames >> UInt64(key.rawValue) & 1 == 1 }

    private mutating func setOrigin(
        of key: ConfigurationKey, _ origin: ConfigurationOrigin, usesFormerName: Bool
    ) {
        origins[Int(key.rawValue)] = origin
        let bit = UInt64(1) << UInt64(key.rawValue)
        formerNames = usesFormerName ? formerNames | bit : formerNames & ~bit
    }

    /// The kinds of configuration files, in the order in which they are read.
    public enum FileKind {
        case main
        /// The local file, which overrides the main file.
        case local
        /// The changes set over the sync port, as ``write(to:onlyChanges:)`` has written them. They override
        /// both files, but not the command line, which has been read before.
        case changes
    }

    /// Reads a configuration file (docs/configuration.md). One that is refused changes nothing.
    public mutating func read(_ file: Span<UInt8>, as kind: FileKind = .main) throws(ConfigurationError) {
        var result = self
        var reader = try FileReader(file)
        while let assignment = try reader.next() {
            let key = assignment.key
            if kind == .changes, result.origin(of: key) == .commandLine { continue }
            let origin: ConfigurationOrigin =
                switch kind {
                case .main: .file(line: assignment.line)
                case .local: .localFile(line: assignment.line)
                case .changes: .cable
                }
            do throws(ConfigurationProblem) {
                switch (kind, result.origin(of: key)) {
                case (.main, .file(let firstLine)), (.local, .localFile(let firstLine)):
                    throw .keyRepeated(firstLine: firstLine)
                default: break
                }
                try result.values.set(key, to: assignment.value)
            } catch {
                throw ConfigurationError(error, origin: origin, key: key)
            }
            result.setOrigin(of: key, origin, usesFormerName: assignment.usesFormerName)
        }
        self = result
    }

    /// The path of the local file: `tabard.local.toml` for `tabard.toml`. Nil if `path` has another ending or
    /// is too long. The local file's path is its own.
    public static func localFile(besides path: Span<UInt8>) -> FixedText<256>? {
        let (ending, local) = (".toml" as StaticString, ".local.toml" as StaticString)
        if path.ends(with: local) { return FixedText(path) }
        guard path.ends(with: ending) else { return nil }
        var name = FixedBuffer<256>()
        do throws(CapacityError) {
            try name.append(path.extracting(0..<path.count - ending.utf8CodeUnitCount))
            try name.append(local)
        } catch {
            return nil
        }
        return FixedText(name.span)
    }

    /// Sets keys over the sync port: assignments `section.key=value`, one on each line. If one is refused,
    /// earlier ones stay set.
    public mutating func change(_ assignments: Span<UInt8>) throws(ConfigurationError) {
        var start = 0
        while start < assignments.count {
            let rest = assignments.extracting(start..<assignments.count)
            let end = rest.firstOffset(of: UInt8(ascii: "\n")) ?? rest.count
            try apply(rest.extracting(0..<end), from: .cable)
            start += end + 1
        }
    }

    /// Sets one key from the command line. A text may be bare or, as in a file, in quotes.
    @inline(never)
    public mutating func override(_ key: ConfigurationKey, with text: Span<UInt8>) throws(ConfigurationError)
    {
        try override(key, with: text, from: .commandLine, usesFormerName: false)
    }

    /// Sets one key as if the local file had it.
    @inline(never)
    public mutating func setLocally(_ key: ConfigurationKey, to text: Span<UInt8>) throws(ConfigurationError)
    {
        try override(key, with: text, from: .localFile(line: 0), usesFormerName: false)
    }

    @inline(never)
    private mutating func override(
        _ key: ConfigurationKey, with text: Span<UInt8>, from origin: ConfigurationOrigin,
        usesFormerName: Bool
    ) throws(ConfigurationError) {
        do throws(ConfigurationProblem) {
            if origin == .cable {
                guard key.canBeSetOverCable else { throw .notOverCable }
                guard self.origin(of: key) != .commandLine else { throw .setByCommandLine }
            }
            try values.set(key, to: try Self.value(of: text, for: key))
        } catch {
            throw ConfigurationError(error, origin: origin, key: key)
        }
        setOrigin(of: key, origin, usesFormerName: usesFormerName)
    }

    /// Sets one key by an assignment `section.key=value`.
    public mutating func apply(
        _ assignment: Span<UInt8>, from origin: ConfigurationOrigin = .commandLine
    ) throws(ConfigurationError) {
        var site = ConfigurationError.Site(origin: origin)
        let equals: Int
        let key: ConfigurationKey
        do throws(ConfigurationProblem) {
            guard let sign = assignment.firstOffset(of: UInt8(ascii: "=")) else { throw .assignmentMalformed }
            equals = sign
            key = try Self.key(named: assignment.extracting(0..<sign), &site)
        } catch {
            throw ConfigurationError(error, at: site)
        }
        try override(
            key, with: assignment.extracting(equals + 1..<assignment.count), from: origin,
            usesFormerName: key.isFormerName(site.name.span))
    }

    private static func key(named text: Span<UInt8>, _ site: inout ConfigurationError.Site)
        throws(ConfigurationProblem) -> ConfigurationKey
    {
        guard text.firstInvalidUTF8Offset == nil else { throw .notUTF8 }
        var scanner = TextScanner(text)
        do throws(ConfigurationProblem) {
            scanner.skipBlanks()
            site.name = try scanner.takeName()
            guard scanner.take(UInt8(ascii: ".")) else { throw .assignmentMalformed }
        } catch {
            throw .assignmentMalformed
        }
        guard let section = ConfigurationSection(named: site.name.span) else {
            throw .sectionUnknown(nearest: .nearest(to: site.name.span))
        }
        site.section = section
        do throws(ConfigurationProblem) {
            site.name = try scanner.takeName()
            try scanner.takeRestOfLine()
            guard scanner.isAtEnd else { throw .assignmentMalformed }
        } catch {
            throw .assignmentMalformed
        }
        guard let key = ConfigurationKey(named: site.name.span, in: section) else {
            throw .keyUnknown(nearest: .nearest(to: site.name.span, in: section))
        }
        return key
    }

    private static func value(of text: Span<UInt8>, for key: ConfigurationKey)
        throws(ConfigurationProblem) -> ConfigurationValue
    {
        guard text.firstInvalidUTF8Offset == nil else { throw .notUTF8 }
        let isQuoted = text.starts(with: "\"") || text.starts(with: "'")
        if key.definition.kind.valueType == .text, !isQuoted {
            for index in text.indices where text[index] == 0 { throw .textHoldsControlCharacter }
            return FixedText(text).map { .text($0) } ?? .longText(byteCount: text.count)
        }
        var scanner = TextScanner(text)
        scanner.skipBlanks()
        let value = try scanner.takeValue()
        try scanner.takeRestOfLine()
        guard scanner.isAtEnd else { throw .trailingText }
        return value
    }
}
