/// How infectious somebody was on a day.
public enum Infectiousness: Int, CaseIterable, Sendable {
    case none, standard, high
}

/// Who says that somebody fell ill. Raw values are those of export files.
public enum ExposureReportType: Int, CaseIterable, Sendable {
    case unknown, confirmedTest, confirmedClinicalDiagnosis, selfReport, recursive, revoked
}

/// What an authority makes of what keys are published with (DiagnosisKeysDataMapping).
public struct DiagnosisKeyMapping: Equatable, Sendable {
    public static let maximumDays = 14

    private let byDay: [Infectiousness]
    public let infectiousnessWhenMissing: Infectiousness
    public let reportTypeWhenMissing: ExposureReportType

    /// Everybody is as infectious on one day as on another, and what is not said otherwise was confirmed by a test.
    public static let standard = DiagnosisKeyMapping(
        everyDay: .standard, reportTypeWhenMissing: .confirmedTest)

    private init(everyDay infectiousness: Infectiousness, reportTypeWhenMissing: ExposureReportType) {
        byDay = [Infectiousness](repeating: infectiousness, count: 2 * Self.maximumDays + 1)
        infectiousnessWhenMissing = infectiousness
        self.reportTypeWhenMissing = reportTypeWhenMissing
    }

    /// - Parameter byDay: for the days from 14 before the symptoms began to 14 after; nil unless there are 29.
    public init?(
        byDay: [Infectiousness], infectiousnessWhenMissing: Infectiousness,
        reportTypeWhenMissing: ExposureReportType
    ) {
        guard byDay.count == 2 * Self.maximumDays + 1, reportTypeWhenMissing != .unknown else { return nil }
        self.byDay = byDay
        self.infectiousnessWhenMissing = infectiousnessWhenMissing
        self.reportTypeWhenMissing = reportTypeWhenMissing
    }

    /// - Parameter daysSinceOnset: of the key; nil, or further away than 14, is missing.
    public func infectiousness(daysSinceOnset: Int32?) -> Infectiousness {
        guard let days = daysSinceOnset.map({ Int($0) }), abs(days) <= Self.maximumDays else {
            return infectiousnessWhenMissing
        }
        return byDay[days + Self.maximumDays]
    }

    /// - Parameter value: of the key; nil, unknown, or none that there is, is missing.
    public func reportType(_ value: Int32?) -> ExposureReportType {
        guard let type = value.flatMap({ ExposureReportType(rawValue: Int($0)) }), type != .unknown else {
            return reportTypeWhenMissing
        }
        return type
    }
}
