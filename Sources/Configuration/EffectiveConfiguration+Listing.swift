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

extension EffectiveConfiguration {
    /// Writes one value as a file has it.
    /// - Returns: whether the key has a value.
    @discardableResult
    public func writeValue(
        of key: ConfigurationKey, to sink: inout some ByteSink & ~Copyable
    ) throws(CapacityError) -> Bool {
        let value = values.value(of: key)
        try value.write(to: &sink, as: key.definition.kind)
        return value != .none || key.definition.kind.emptyIsNone
    }

    /// The first key that was set by ``setLocally(_:to:)`` and that has a value of the sync port in `other`;
    /// nil if there is none.
    public func locallySetKey(hiddenIn other: EffectiveConfiguration) -> ConfigurationKey? {
        var keys = ConfigurationKey.all
        while let key = keys.next() {
            if origin(of: key) == .localFile(line: 0), other.origin(of: key) == .cable { return key }
        }
        return nil
    }

    /// Writes the values of the local file, as that file.
    public func writeLocal(to sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        var sections = ConfigurationSection.all
        while let section = sections.next() {
            var isFirst = true
            var keys = ConfigurationKey.all(in: section)
            while let key = keys.next() {
                let value = values.value(of: key)
                guard origin(of: key).isLocal, value != .none || key.definition.kind.emptyIsNone else {
                    continue
                }
                if isFirst {
                    try sink.append("\n[")
                    try sink.append(section.name)
                    try sink.append("]\n")
                }
                isFirst = false
                try sink.append(key.name)
                try sink.append(" = ")
                try value.write(to: &sink, as: key.definition.kind)
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
    fileprivate var isLocal: Bool { if case .localFile = self { true } else { false } }

    fileprivate func write(to sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        switch self {
        case .standard: try sink.append("default")
        case .file(let line):
            try sink.append("line ")
            try sink.append(decimal: line)
        case .localFile(let line):
            try sink.append("local line ")
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
