/// How infectious a person was on a day.
public enum Infectiousness: Int, CaseIterable, Sendable {
    case none, standard, high
}

/// How an illness was diagnosed or reported. Raw values are those of export files.
public enum ExposureReportType: Int, CaseIterable, Sendable {
    case unknown, confirmedTest, confirmedClinicalDiagnosis, selfReport, recursive, revoked
}

/// An authority's mapping from published keys to infectiousness and report type (DiagnosisKeysDataMapping).
public struct DiagnosisKeyMapping: Equatable, Sendable {
    public static let maximumDays = 14

    private let byDay: [Infectiousness]
    public let infectiousnessWhenMissing: Infectiousness
    public let reportTypeWhenMissing: ExposureReportType

    /// The same infectiousness for every day; a report without a type counts as confirmed by a test.
    public static let standard = DiagnosisKeyMapping(
        everyDay: .standard, reportTypeWhenMissing: .confirmedTest)

    private init(everyDay infectiousness: Infectiousness, reportTypeWhenMissing: ExposureReportType) {
        byDay = [Infectiousness](repeating: infectiousness, count: 2 * Self.maximumDays + 1)
        infectiousnessWhenMissing = infectiousness
        self.reportTypeWhenMissing = reportTypeWhenMissing
    }

    /// - Parameter byDay: from 14 days before the symptoms began to 14 days after; nil unless there are 29.
    public init?(
        byDay: [Infectiousness], infectiousnessWhenMissing: Infectiousness,
        reportTypeWhenMissing: ExposureReportType
    ) {
        guard byDay.count == 2 * Self.maximumDays + 1, reportTypeWhenMissing != .unknown else { return nil }
        self.byDay = byDay
        self.infectiousnessWhenMissing = infectiousnessWhenMissing
        self.reportTypeWhenMissing = reportTypeWhenMissing
    }

    /// - Parameter daysSinceOnset: the key's value; nil, or more than 14 days either way, counts as missing.
    public func infectiousness(daysSinceOnset: Int32?) -> Infectiousness {
        guard let days = daysSinceOnset.map({ Int($0) }), abs(days) <= Self.maximumDays else {
            return infectiousnessWhenMissing
        }
        return byDay[days + Self.maximumDays]
    }

    /// - Parameter value: the key's value; nil, unknown or undefined values count as missing.
    public func reportType(_ value: Int32?) -> ExposureReportType {
        guard let type = value.flatMap({ ExposureReportType(rawValue: Int($0)) }), type != .unknown else {
            return reportTypeWhenMissing
        }
        return type
    }
}
