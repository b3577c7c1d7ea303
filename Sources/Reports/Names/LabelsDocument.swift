import Archive
import LogContents

/// The labels of an archive, as `tabardctl label --json` and `--csv` print them.
public struct LabelsDocument: PrintedDocument {
    public static let schema = PrintedSchema("labels")

    /// The boards in the order in which they were registered, then the labelled identities by name.
    public let labels: [Row]

    public struct Row: Encodable, Sendable {
        /// The log identity of a board, or the identity, in hexadecimal.
        public let id: String
        /// The scheme of an identity; null for a board.
        @NullIfUnknown public private(set) var scheme: String?
        @NullIfUnknown public private(set) var name: String?
        @NullIfUnknown public private(set) var group: String?
        @NullIfUnknown public private(set) var ageYears: Int?
        @NullIfUnknown public private(set) var sex: String?
        /// The model of the device, as walk tests name it.
        @NullIfUnknown public private(set) var model: String?

        fileprivate init(id: String, scheme: String?, _ label: Label) {
            self.id = id
            self.scheme = scheme
            name = label.name
            group = label.group
            ageYears = label.ageYears
            sex = label.sex
            model = label.model
        }
    }

    public init(_ labels: Labels, boards: [ArchivedBoard]) {
        self.labels =
            boards.map { Row(id: $0.identity.hexadecimal, scheme: nil, labels[$0.identity]) }
            + labels.identities.map { Row(id: $0.hexadecimal, scheme: $0.scheme.label, labels[$0]) }
    }

    public var isEmpty: Bool { labels.isEmpty }

    /// The columns of a file for `tabardctl label --names` come first.
    public static let columns = ["id", "name", "group", "age", "sex", "model", "scheme"]

    public var rows: [[String]] {
        labels.map {
            [
                $0.id, $0.name ?? "", $0.group ?? "", $0.ageYears.map { "\($0)" } ?? "", $0.sex ?? "",
                $0.model ?? "", $0.scheme ?? "",
            ]
        }
    }
}
