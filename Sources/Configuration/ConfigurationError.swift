import FixedMemory

/// The source of a value, or the place of an error.
public enum ConfigurationOrigin: BitwiseCopyable, Equatable, Sendable {
    /// The default value, which nothing has changed.
    case standard
    /// A line of the file, counted from 1.
    case file(line: UInt32)
    /// A line of the local file, which overrides the file.
    case localFile(line: UInt32)
    case commandLine
    /// The board's operator, over the sync port.
    case cable

    /// Where an error or a notice is: `FILE:LINE`, or another source. `fileName` is the file's or, for an
    /// error in the local file, that file's.
    func write(to sink: inout some ByteSink & ~Copyable, fileName: Span<UInt8>) throws(CapacityError) {
        switch self {
        case .standard: try sink.append(fileName)
        case .file(let line):
            try sink.append(fileName)
            try sink.append(UInt8(ascii: ":"))
            try sink.append(decimal: line)
        case .localFile(let line):
            if let local = EffectiveConfiguration.localFile(besides: fileName) {
                try sink.append(local.span)
            } else {
                try sink.append(fileName)
            }
            try sink.append(UInt8(ascii: ":"))
            try sink.append(decimal: line)
        case .commandLine: try sink.append("command line")
        case .cable: try sink.append("set over the cable")
        }
    }
}

/// An error in a configuration, and its place.
public struct ConfigurationError: Error, BitwiseCopyable, Equatable, Sendable {
    public let problem: ConfigurationProblem
    public let origin: ConfigurationOrigin
    /// The key concerned, if it is known.
    public let key: ConfigurationKey?
    /// The section concerned, if it is known.
    public let section: ConfigurationSection?
    /// The section or key as written, if it is unknown; truncated to 63 bytes.
    public let name: FixedText<64>

    /// The reader's current place, as far as it is known.
    struct Site {
        var origin = ConfigurationOrigin.standard
        var section: ConfigurationSection?
        var key: ConfigurationKey?
        var name = FixedText<64>()
    }

    init(_ problem: ConfigurationProblem, at site: Site) {
        self.problem = problem
        origin = site.origin
        key = site.key
        section = site.key?.section ?? site.section
        name = site.name
    }

    init(_ problem: ConfigurationProblem, origin: ConfigurationOrigin, key: ConfigurationKey? = nil) {
        self.init(problem, at: Site(origin: origin, key: key))
    }

    /// A line length that is always sufficient if the file's name has at most 255 bytes.
    public static let maximumLineByteCount = 1024

    /// Writes one line without its end: `FILE:LINE: section.key: what is wrong; what to do`.
    public func write(to sink: inout some ByteSink & ~Copyable, fileName: Span<UInt8>) throws(CapacityError) {
        try origin.write(to: &sink, fileName: fileName)
        try sink.append(": ")
        try write(to: &sink)
    }

    /// Writes the same line without the place.
    public func write(to sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        try writeSubject(to: &sink)
        try problem.write(to: &sink, key: key, section: section)
    }

    private func writeSubject(to sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        if let key {
            try key.writeName(to: &sink)
            return try sink.append(": ")
        }
        guard !name.isEmpty else { return }
        if let section {
            try sink.append(section.name)
            try sink.append(UInt8(ascii: "."))
        }
        let bytes = name.span
        // A quoted name may contain any bytes, and some would disturb a terminal.
        for index in bytes.indices {
            try sink.append(0x21...0x7e ~= bytes[index] ? bytes[index] : UInt8(ascii: "?"))
        }
        try sink.append(": ")
    }
}

extension ConfigurationKey {
    /// Writes `section.key`.
    public func writeName(to sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        try sink.append(section.name)
        try sink.append(UInt8(ascii: "."))
        try sink.append(name)
    }
}
