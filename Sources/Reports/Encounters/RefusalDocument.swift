import Archive
import Foundation

/// Refused identities, as `tabardctl encounters --refused --json` prints them. Later versions only add
/// fields; they never rename or remove one.
public struct RefusalDocument: PrintedRow {
    public static let schema = PrintedSchema("refusals")

    public let board: String
    public let scheme: String
    /// `wrongLength`, `notOnCurve`, `noCountry`, `notOfNow` or `nobody`; `reason6` for a reason of a later
    /// version.
    public let reason: String
    public let count: Int
    /// RFC 3339, UTC; null if the board had no clock.
    @NullIfUnknown public private(set) var first: String?
    @NullIfUnknown public private(set) var last: String?
    /// The error bound of these times, either way; null if unknown or if the board had no clock.
    @NullIfUnknown public private(set) var clockErrorSeconds: Double?
    /// The boot without a clock to which they belong, 16 hexadecimal digits; null on the wall clock.
    @NullIfUnknown public private(set) var boot: String?

    public init(_ refusal: RefusalSummary) {
        board = refusal.board.hexadecimal
        scheme = refusal.scheme.label
        reason = refusal.reason.name
        count = refusal.count
        first = refusal.timeline.wallClock(refusal.first).map(TimeText.utc)
        last = refusal.timeline.wallClock(refusal.last).map(TimeText.utc)
        switch refusal.timeline {
        case .wallClock(let error):
            clockErrorSeconds = error?.fractionalSeconds
            boot = nil
        case .sinceStart(let start):
            clockErrorSeconds = nil
            boot = TimeText.boot(start)
        }
    }

    /// Encodes the refusals as a JSON list in UTF-8 with a final line feed. Equal refusals give equal bytes.
    public static func json(_ refusals: [RefusalSummary]) throws -> Data {
        try PrintedJSON.data(rows: refusals.map(RefusalDocument.init))
    }

    /// RFC 4180: a header line, and empty fields for unknown values.
    public static func csv(_ refusals: [RefusalSummary]) -> String {
        let columns = ["board", "scheme", "reason", "count", "first", "last", "clock_error_seconds", "boot"]
        let rows = refusals.map(RefusalDocument.init).map { refusal in
            [
                refusal.board, refusal.scheme, refusal.reason, "\(refusal.count)", refusal.first ?? "",
                refusal.last ?? "", refusal.clockErrorSeconds.map { "\($0)" } ?? "", refusal.boot ?? "",
            ]
        }
        return ([columns] + rows).map { CSVLine($0).text }.joined()
    }
}
