import Archive
import Foundation

/// Refused identities as `tabardctl encounters --refused --json` prints them. Fields are added here, never renamed or removed.
public struct RefusalDocument: Encodable, Sendable {
    public let board: String
    public let scheme: String
    /// `wrongLength`, `notOnCurve`, `noCountry`, `notOfNow`, `nobody`; of a later version `reason6`.
    public let reason: String
    public let count: Int
    /// RFC 3339, UTC; null when the board had no clock.
    @NullIfUnknown public private(set) var first: String?
    @NullIfUnknown public private(set) var last: String?
    /// How far they may be off, either way; null when nobody can say, or when the board had no clock.
    @NullIfUnknown public private(set) var clockErrorSeconds: Double?
    /// The start without a clock in which they came, 16 hexadecimal digits; null on the wall clock.
    @NullIfUnknown public private(set) var boot: String?

    public init(_ refusal: RefusalSummary) {
        board = refusal.board.hexadecimal
        scheme = refusal.scheme.label
        reason = refusal.reason.name
        count = refusal.count
        first = refusal.isOnWallClock ? TimeText.utc(refusal.firstMilliseconds) : nil
        last = refusal.isOnWallClock ? TimeText.utc(refusal.lastMilliseconds) : nil
        switch refusal.timeline {
        case .wallClock(let error):
            clockErrorSeconds = error.map { Double($0) / 1000 }
            boot = nil
        case .sinceStart(let start):
            clockErrorSeconds = nil
            boot = TimeText.boot(start)
        }
    }

    /// The array, in UTF-8, with a line feed at its end; the same bytes for the same refusals.
    public static func json(_ refusals: [RefusalSummary]) throws -> Data {
        try PrintedJSON.data(refusals.map(RefusalDocument.init))
    }

    /// RFC 4180, a header line, an empty field for what is not known.
    public static func csv(_ refusals: [RefusalSummary]) -> String {
        let columns = ["board", "scheme", "reason", "count", "first", "last", "clock_error_seconds", "boot"]
        let rows = refusals.map(RefusalDocument.init).map { refusal in
            [
                refusal.board, refusal.scheme, refusal.reason, "\(refusal.count)", refusal.first ?? "",
                refusal.last ?? "", refusal.clockErrorSeconds.map { "\($0)" } ?? "", refusal.boot ?? "",
            ]
        }
        return ([columns] + rows).map(EncounterCSV.line).joined()
    }
}
