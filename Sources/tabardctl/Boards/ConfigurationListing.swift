import CommandLineText
import Configuration
import FixedMemory
import Foundation

/// The keys of a configuration listing, each with its line.
struct ConfigurationListing {
    /// "log.retention_days = 14  # line 3", in the listing's order.
    private let lines: [(key: String, text: String)]

    init(_ text: String) {
        var section = ""
        var lines: [(key: String, text: String)] = []
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") {
                section = String(line.dropFirst().prefix { $0 != "]" })
                continue
            }
            // A key without a value is a comment.
            let comment = line.hasPrefix("# ") ? "# " : ""
            let rest = line.dropFirst(comment.count)
            guard let end = rest.firstRange(of: " = ") else { continue }
            let key = "\(section).\(rest[..<end.lowerBound])"
            lines.append((key, "\(comment)\(key)\(rest[end.lowerBound...])"))
        }
        self.lines = lines
    }

    /// The listing of a configuration without a file.
    static var standard: ConfigurationListing {
        // As long as EffectiveConfiguration.maximumListingByteCount, so it always suffices.
        var listing = FixedBuffer<8192>()
        try? EffectiveConfiguration().write(to: &listing)
        return ConfigurationListing(String(decoding: [UInt8](copying: listing.span), as: UTF8.self))
    }

    /// The keys whose values come from the agent's command line.
    var commandLineKeys: Set<String> {
        Set(lines.filter { $0.text.hasSuffix("  # command line") }.map(\.key))
    }

    func line(of key: String) throws(Failure) -> String {
        if let line = lines.first(where: { $0.key == key }) { return line.text }
        let meant = NearestText.nearest(to: key, among: lines.map(\.key))
        throw Failure(
            .usage,
            "\(key): no such key; "
                + (meant.map { "did you mean \($0)?" } ?? "write section.key, as in log.retention_days"))
    }

    /// The assignment that gives a key its default value; nil for an unknown key and one without a default.
    static func standardAssignment(of key: String) -> String? {
        guard let line = try? standard.line(of: key), !line.hasPrefix("# ") else { return nil }
        let parts = line.components(separatedBy: " = ")
        let value = parts.dropFirst().joined(separator: " = ").components(separatedBy: "  # ")
        return "\(key)=\(value.dropLast().joined(separator: "  # "))"
    }

    /// Whether the board takes a value of this key over the cable. Unknown keys count, because another
    /// message names them.
    static func isSetOverCable(_ key: String) -> Bool {
        ConfigurationKey.every.first { "\($0.section.name).\($0.name)" == key }?.canBeSetOverCable ?? true
    }
}

extension ConfigurationKey {
    /// All keys, in the order of the listing.
    static var every: [ConfigurationKey] {
        (UInt8.min...UInt8.max).compactMap(ConfigurationKey.init(rawValue:))
    }
}
