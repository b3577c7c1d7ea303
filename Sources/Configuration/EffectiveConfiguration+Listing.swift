import FixedMemory

extension EffectiveConfiguration {
    /// A buffer size that is always sufficient for `write(to:)`.
    public static let maximumListingByteCount = 8192

    /// Writes the configuration as a file that ``read(_:)`` accepts, with the source of each value in a
    /// comment.
    ///
    /// - Parameter onlyChanges: Writes only the values that were set over the sync port.
    @inline(never)
    public func write(
        to sink: inout some ByteSink & ~Copyable, onlyChanges: Bool = false
    ) throws(CapacityError) {
        var sections = ConfigurationSection.all
        while let section = sections.next() {
            try section.writeHeader(to: &sink)
            var keys = ConfigurationKey.all(in: section)
            while let key = keys.next() {
                if onlyChanges, origin(of: key) != .cable { continue }
                let value = values.value(of: key)
                // A number without a value can only be written as a comment.
                if value == .none, !key.definition.kind.emptyIsNone { try sink.append("# ") }
                try sink.append(key.name)
                try sink.append(" = ")
                try value.write(to: &sink, as: key.definition.kind)
                try sink.append("  # ")
                try origin(of: key).write(to: &sink)
                try sink.append("\n")
            }
        }
    }
}

extension ConfigurationSection {
    fileprivate func writeHeader(to sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        if rawValue > 0 { try sink.append("\n") }
        try sink.append("[")
        try sink.append(name)
        try sink.append("]\n")
    }
}

extension ConfigurationOrigin {
    fileprivate func write(to sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        switch self {
        case .standard: try sink.append("default")
        case .file(let line):
            try sink.append("line ")
            try sink.append(decimal: line)
        case .commandLine: try sink.append("command line")
        case .cable: try sink.append("over the cable")
        }
    }
}

extension ConfigurationValue {
    /// Writes the value as TOML.
    func write(to sink: inout some ByteSink & ~Copyable, as kind: KeyKind) throws(CapacityError) {
        switch self {
        case .none where kind.emptyIsNone: try sink.append("\"\"")
        case .none: try sink.append("(none)")
        case .integer(let number): try sink.append(decimal: number)
        case .boolean(let boolean): try sink.append(boolean ? "true" : "false" as StaticString)
        case .text(let text):
            let bytes = text.span
            try sink.append("\"")
            for index in bytes.indices {
                if bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "\\") {
                    try sink.append("\\")
                }
                try sink.append(bytes[index])
            }
            try sink.append("\"")
        // A key never has one of these values.
        case .hugeInteger, .longText: break
        }
    }
}
