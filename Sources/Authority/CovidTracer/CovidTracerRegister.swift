import FixedMemory
import Schemes

/// The authority's register of reported keys: which reports it accepts, and what it publishes when.
public struct CovidTracerRegister: JSONDocument, Equatable, Sendable {
    public static let maximumReportsPerHour = 5
    /// Keys of earlier days are no longer published.
    public static let publishedDays = 16
    public static let batchSeconds: UInt64 = 43_200

    private(set) var rows: [CovidTracerRow] = []
    private(set) var acceptances: [Acceptance] = []

    public init() {}

    init(rows: [CovidTracerRow], acceptances: [Acceptance]) {
        self.rows = rows
        self.acceptances = acceptances
    }

    /// Accepts a report, or throws the reason for refusing it. A refused report leaves no trace.
    ///
    /// - Parameter address: the sender's address as the authority itself saw it. (The original trusted a
    ///   header that anyone can write.)
    public mutating func accept(
        _ fields: [CovidTracerFormField], from address: String, at unixSeconds: UInt64
    ) throws(CovidTracerRefusal) {
        let report: CovidTracerReport
        do throws(CovidTracerReportDefect) {
            report = try CovidTracerReport(fields: fields, today: Self.date(unixSeconds))
        } catch {
            throw .badRequest(error)
        }
        let known = Set(rows.map(\.key.text))
        guard !report.keys.contains(where: { known.contains($0.text) }) else { throw .alreadyKnown }
        acceptances.removeAll { $0.unixSeconds <= unixSeconds && unixSeconds - $0.unixSeconds >= 3_600 }
        guard acceptances.count(where: { $0.address == address }) < Self.maximumReportsPerHour else {
            throw .tooManyRequests
        }
        acceptances.append(Acceptance(address: address, unixSeconds: unixSeconds))
        rows += report.keys.map {
            CovidTracerRow(key: $0, isTested: report.isTested, reportedAt: unixSeconds)
        }
    }

    /// The rows published by then: those that arrived up to the last noon or midnight UTC.
    ///
    /// Only recent days before today are published, because a key of today would allow others to impersonate
    /// its owner. Rows are sorted by the keys' texts, so that the order does not reveal which belong
    /// together.
    public func cases(at unixSeconds: UInt64) -> [CovidTracerRow] {
        let cutoff = Self.cutoff(at: unixSeconds)
        let today = Int(Self.date(unixSeconds).daysSince1970)
        return rows.filter { row in
            let day = Int(row.key.date.daysSince1970)
            return row.reportedAt <= cutoff && day > today - Self.publishedDays && day < today
        }.sorted { $0.key.text < $1.key.text }
    }

    /// The last noon or midnight UTC.
    public static func cutoff(at unixSeconds: UInt64) -> UInt64 { unixSeconds - unixSeconds % batchSeconds }

    private static func date(_ unixSeconds: UInt64) -> CalendarDate {
        CalendarDate(daysSince1970: UInt32(clamping: unixSeconds / 86_400))
    }

    /// An accepted report, remembered for an hour.
    struct Acceptance: Equatable, Sendable {
        let address: String
        let unixSeconds: UInt64
    }
}

/// A key of the register.
public struct CovidTracerRow: Equatable, Sendable {
    public let key: CovidTracerDailyKey
    /// Whether the reporter claimed a positive test ("positive"); otherwise "symptomatic".
    public let isTested: Bool
    public let reportedAt: UInt64
}

/// Why a report is refused.
public enum CovidTracerRefusal: Error, Equatable, Sendable {
    case badRequest(CovidTracerReportDefect)
    /// One of the keys was reported before.
    case alreadyKnown
    case tooManyRequests

    /// The HTTP status; 201 is for accepted reports.
    public var status: Int {
        switch self {
        case .badRequest: 400
        case .alreadyKnown: 403
        case .tooManyRequests: 429
        }
    }
}
