import FixedMemory

/// The table of keys in readable form.
public enum ConfigurationManual {
    /// A buffer size that is sufficient for either form.
    public static let maximumByteCount = 16384

    /// Writes plain text: the keys of each section with their defaults and meanings.
    public static func writePlain(to sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        let defaults = AgentConfiguration()
        var sections = ConfigurationSection.all
        while let section = sections.next() {
            try sink.append("[")
            try sink.append(section.name)
            try sink.append("]\n")
            var keys = ConfigurationKey.all(in: section)
            while let key = keys.next() {
                try sink.append("  ")
                try sink.append(key.name)
                try sink.append(" = ")
                try defaults.value(of: key).write(to: &sink, as: key.definition.kind)
                try sink.append("\n      ")
                try sink.append(key.definition.meaning)
                try sink.append("\n      value: ")
                try key.definition.kind.write(to: &sink)
                try sink.append("\n")
            }
        }
    }

    /// Writes a Markdown table with a row for each key.
    public static func writeMarkdown(to sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        let defaults = AgentConfiguration()
        try sink.append("| key | value | default | meaning | if refused |\n")
        try sink.append("|---|---|---|---|---|\n")
        var keys = ConfigurationKey.all
        while let key = keys.next() {
            try sink.append("| `")
            try key.writeName(to: &sink)
            try sink.append("` | ")
            try key.definition.kind.write(to: &sink)
            try sink.append(" | ")
            let value = defaults.value(of: key)
            let isSet = value != .none || key.definition.kind.emptyIsNone
            if isSet { try sink.append("`") }
            try value.write(to: &sink, as: key.definition.kind)
            try sink.append(isSet ? "` | " : " | " as StaticString)
            try sink.append(key.definition.meaning)
            try sink.append(" | ")
            try sink.append(key.definition.remedy)
            try sink.append(" |\n")
        }
    }
}

extension KeyKind {
    /// Writes a description of the accepted values.
    fileprivate func write(to sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        switch self {
        case .boolean: try sink.append("true or false")
        case .integer(let minimum, let maximum):
            try sink.append("whole number from ")
            try sink.append(decimal: minimum)
            try sink.append(" to ")
            try sink.append(decimal: maximum)
        case .baudRate: try sink.append("serial port speed, 9600 to 4000000")
        case .role: try sink.append("\"beacon\" or \"wearable\"")
        case .schemeRole(let last):
            try sink.append(last == .on ? "\"off\", \"listen\" or \"on\"" : "\"off\" or \"listen\"")
        case .text: try sink.append("text of up to 255 bytes")
        case .webAddress: try sink.append("text of up to 255 bytes that begins with https://, or empty")
        case .path(let mayBeEmpty):
            try sink.append(
                mayBeEmpty ? "path of up to 255 bytes, or empty" : "path of up to 255 bytes" as StaticString)
        case .transport: try sink.append("name of a transport")
        case .syncPort: try sink.append("path of up to 127 bytes, pty:LINK, or empty")
        case .scanDuty: try sink.append("\"continuous\", \"balanced\", \"saver\" or \"custom\"")
        case .radioPower: try sink.append("none, rfkill, or rebind:DRIVER,DEVICE")
        case .address: try sink.append("static random address such as C0:12:34:56:78:9A, public, or empty")
        case .position: try sink.append("latitude and longitude, or empty")
        }
    }
}
