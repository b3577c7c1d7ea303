import Archive
import CommandLineText
import Reports

/// The rules of --keep: for how many days contacts of a scheme are kept. Other schemes keep their defaults.
enum RetentionArgument {
    /// - Parameter rules: such as "exposure-notification=10".
    static func retention(_ rules: [String]) throws(Failure) -> ContactRetention {
        var retention = ContactRetention()
        for rule in rules {
            let parts = rule.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let kind = ContactKind(label: String(parts[0])),
                let days = Int(parts[1]), (0...3_650).contains(days)
            else {
                let kinds = ContactRetention.usual.map(\.kind.label).joined(separator: ", ")
                throw Failure(
                    .usage, "--keep \(rule): write SCHEME=DAYS, 0 to 3650 days, with one of \(kinds)")
            }
            retention[kind] = days
        }
        return retention
    }

    static func table(_ retention: ContactRetention) -> TextTable {
        var table = TextTable([
            .init(title: "SCHEME"), .init(title: "DAYS", isNumber: true),
            .init(title: "RULE", narrowing: .wrapped(minimum: 16)),
        ])
        for row in rows(retention) { table.append([row.scheme, "\(row.days)", row.rule]) }
        return table
    }

    static func rows(_ retention: ContactRetention) -> [RetentionRow] {
        ContactRetention.usual.map { rule in
            let days = retention[rule.kind]
            return RetentionRow(
                scheme: rule.kind.label, days: days, rule: days == rule.days ? rule.source : "--keep")
        }
    }
}

/// How long the contacts of a scheme are kept, as `tabardctl forget --list --json` prints it. Later versions
/// only add fields; they never rename or remove one.
struct RetentionRow: PrintedRow {
    static let schema = PrintedSchema("retention")

    let scheme: String
    let days: Int
    /// The origin of the number.
    let rule: String
}
