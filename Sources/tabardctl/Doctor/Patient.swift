import BoardHealth
import CommandLineText
import Reports

/// A board, or this computer, with the findings about it. `tabardctl doctor --json` has a row for each.
/// Later versions only add fields.
struct Patient: PrintedRow {
    static let schema = PrintedSchema("findings")

    /// Nil for this computer.
    let name: String?
    var port: String?
    /// The log's identity.
    var board: String?
    let findings: [Finding]

    private enum CodingKeys: String, CodingKey {
        case port, board, findings
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(port, forKey: .port)
        try container.encode(board, forKey: .board)
        try container.encode(findings, forKey: .findings)
    }

    /// The findings in the form of `tabard doctor`.
    var text: String {
        let width = (findings.map(\.subject.count).max() ?? 0) + 2
        let lines = findings.flatMap { finding in
            let first =
                Self.padded(finding.level.rawValue, 9) + Self.padded(finding.subject, width) + finding.text
            switch finding.remedy {
            case .run(let command):
                return [first, Self.padded("", 9) + Self.padded("run", width) + command]
            case .advice(let text):
                return [first, Self.padded("", 9) + Self.padded("advice", width) + text]
            case nil: return [first]
            }
        }
        return ([name ?? "this computer"] + lines).joined(separator: "\n")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text.padding(toLength: max(width, text.count + 1), withPad: " ", startingAt: 0)
    }
}
