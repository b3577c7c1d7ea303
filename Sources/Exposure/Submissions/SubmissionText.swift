import Authority
import FixedMemory

/// What would leave, as people are shown it.
public struct SubmissionText: Sendable {
    /// Who would learn it.
    public let recipient: String
    /// What its app would send, and where to; nil where that is not known.
    public let request: String?
    /// What is in it.
    public let contents: [String]
    /// What it tells about the wearer, and about those he met.
    public let aboutWearer: String
    public let aboutOthers: String

    public init(
        recipient: String, request: String? = nil, contents: [String], aboutWearer: String = wearerFellIll,
        aboutOthers: String = "nothing"
    ) {
        self.recipient = recipient
        self.request = request
        self.contents = contents
        self.aboutWearer = aboutWearer
        self.aboutOthers = aboutOthers
    }

    /// Of a scheme that gives away who one was.
    public static let wearerFellIll =
        "that you fell ill; anyone who recorded your identifiers of those days can recognise them"

    /// Several lines.
    public var text: String {
        let rows =
            contents.enumerated().map { ($0.offset == 0 ? "contains" : "", $0.element) }
            + [("about you", aboutWearer), ("about others", aboutOthers)]
            + (request.map { [("as", $0)] } ?? [])
        let lines = rows.map { name, value in
            "  " + name + String(repeating: " ", count: max(0, 13 - name.count)) + value
        }
        return (["For \(recipient):"] + lines).joined(separator: "\n")
    }
}

extension ClosedRange<UInt32> {
    /// Of days since 1970: "2026-11-08 to 2026-11-21 (UTC)".
    public var daysText: String {
        "\(CalendarDate(daysSince1970: lowerBound).text) to \(CalendarDate(daysSince1970: upperBound).text) (UTC)"
    }
}
