import Authority
import FixedMemory

/// The description of a submission that is shown before it is sent.
public struct SubmissionText: Sendable {
    /// The recipient of the data.
    public let recipient: String
    /// The request that the scheme's app would send, and its destination; nil if unknown.
    public let request: String?
    /// The contents of the submission.
    public let contents: [String]
    /// The facts that it reveals about the wearer and about the people that the wearer met.
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

    /// The default text, for schemes whose submission reveals the wearer's own identities.
    public static let wearerFellIll =
        "that you fell ill; anyone who recorded your identifiers of those days can recognise them"

    /// The description in several lines.
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
    /// A range of days since 1970 as text: "2026-11-08 to 2026-11-21 (UTC)".
    public var daysText: String {
        "\(CalendarDate(daysSince1970: lowerBound).text) to \(CalendarDate(daysSince1970: upperBound).text) (UTC)"
    }
}
