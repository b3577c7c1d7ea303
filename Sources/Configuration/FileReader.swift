import FixedMemory

/// Reads a configuration file one assignment at a time.
struct FileReader: ~Escapable {
    struct Assignment {
        let key: ConfigurationKey
        /// Whether the line uses the key's former name.
        let usesFormerName: Bool
        let value: ConfigurationValue
        let line: UInt32
    }

    private var scanner: TextScanner
    private var section: ConfigurationSection?
    /// A bit for each section that has occurred.
    private var sectionsSeen: UInt8 = 0

    @_lifetime(copy file)
    init(_ file: Span<UInt8>) throws(ConfigurationError) {
        try Self.checkCharacters(file)
        scanner = TextScanner(file)
    }

    /// Returns the next assignment; nil at the end of the file.
    mutating func next() throws(ConfigurationError) -> Assignment? {
        while true {
            let line = scanner.line
            var site = ConfigurationError.Site()
            do throws(ConfigurationProblem) {
                while try scanner.skipEmptyLine() {}
                site.origin = .file(line: scanner.line)
                guard !scanner.isAtEnd else { return nil }
                if scanner.take(UInt8(ascii: "[")) {
                    try takeSectionHeader(&site)
                } else {
                    return try takeAssignment(&site)
                }
            } catch {
                if site.origin == .standard { site.origin = .file(line: line) }
                throw ConfigurationError(error, at: site)
            }
        }
    }

    private mutating func takeSectionHeader(_ site: inout ConfigurationError.Site)
        throws(ConfigurationProblem)
    {
        scanner.skipBlanks()
        do throws(ConfigurationProblem) { site.name = try scanner.takeName() } catch {
            throw .sectionHeaderMalformed
        }
        scanner.skipBlanks()
        guard scanner.take(UInt8(ascii: "]")) else { throw .sectionHeaderMalformed }
        guard let found = ConfigurationSection(named: site.name.span) else {
            throw .sectionUnknown(nearest: .nearest(to: site.name.span))
        }
        let bit = UInt8(1) << found.rawValue
        guard sectionsSeen & bit == 0 else { throw .sectionRepeated }
        sectionsSeen |= bit
        section = found
        try scanner.takeRestOfLine()
    }

    private mutating func takeAssignment(_ site: inout ConfigurationError.Site) throws(ConfigurationProblem)
        -> Assignment
    {
        let line = scanner.line
        site.section = section
        site.name = try scanner.takeName()
        scanner.skipBlanks()
        guard !scanner.take(UInt8(ascii: ".")) else { throw .keyDotted }
        guard scanner.take(UInt8(ascii: "=")) else { throw .equalsSignMissing }
        guard let section else { throw .keyOutsideSection }
        guard let key = ConfigurationKey(named: site.name.span, in: section) else {
            throw .keyUnknown(nearest: .nearest(to: site.name.span, in: section))
        }
        site.key = key
        scanner.skipBlanks()
        let value = try scanner.takeValue()
        try scanner.takeRestOfLine()
        return Assignment(
            key: key, usesFormerName: key.isFormerName(site.name.span), value: value, line: line)
    }

    /// Accepts only UTF-8 without a byte order mark and without control characters except tabs and line ends.
    private static func checkCharacters(_ file: Span<UInt8>) throws(ConfigurationError) {
        if file.count >= 3, file[0] == 0xef, file[1] == 0xbb, file[2] == 0xbf {
            throw ConfigurationError(.byteOrderMark, origin: .file(line: 1))
        }
        if file.count >= 2, file[0] == 0xff && file[1] == 0xfe || file[0] == 0xfe && file[1] == 0xff {
            throw ConfigurationError(.byteOrderMark, origin: .file(line: 1))
        }
        let invalid = file.firstInvalidUTF8Offset ?? file.count
        var line: UInt32 = 1
        for index in 0..<invalid {
            switch file[index] {
            case UInt8(ascii: "\n"): line &+= 1
            case UInt8(ascii: "\t"): break
            case UInt8(ascii: "\r") where index + 1 < file.count && file[index + 1] == UInt8(ascii: "\n"):
                break
            case 0..<0x20, 0x7f: throw ConfigurationError(.controlCharacter, origin: .file(line: line))
            default: break
            }
        }
        if invalid < file.count { throw ConfigurationError(.notUTF8, origin: .file(line: line)) }
    }
}
