import Configuration
import FixedMemory

/// Values of a board's configuration as the configuration has them, and its errors as lines.
enum ConfigurationText {
    /// The value in the form that an assignment has. A text is quoted, because names may contain quotation
    /// marks.
    static func value(_ text: String, of key: ConfigurationKey) -> String {
        guard [.boardName, .name, .area, .disambiguation, .url].contains(key) else { return text }
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\" + String(scalar)
            case _ where scalar.value < 0x20:
                "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
            default: String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }

    /// `section.key=value`, as a board takes it over the cable.
    static func assignment(of key: ConfigurationKey, _ text: String) -> String {
        "\(key.section.name).\(key.name)=\(value(text, of: key))"
    }
}

extension ConfigurationError {
    /// The problem and its remedy, without the place in the configuration.
    var line: String {
        var text = FixedBuffer<1024>()
        // The buffer always suffices.
        try? write(to: &text)
        return String(decoding: [UInt8](copying: text.span), as: UTF8.self)
    }
}
