extension DiagnosisKeyMapping {
    /// Parses an authority's mapping of days and reports, in a format of this project, one entry a line:
    ///
    ///     # days since symptoms began: none, standard or high
    ///     -14..-3  none
    ///     -2..2    high
    ///     3..14    standard
    ///     missing  standard
    ///     report   confirmed-test
    ///
    /// Each of the days from -14 to 14 occurs once. `missing` applies to keys without a number of days,
    /// `report` to keys without a report type. Empty lines, and everything after a `#`, are ignored.
    public init(text: String) throws(DiagnosisKeyMappingError) {
        var byDay = [Infectiousness?](repeating: nil, count: 2 * Self.maximumDays + 1)
        var missing: Infectiousness?
        var report: ExposureReportType?
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let number = index + 1
            let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init)
            guard !words.isEmpty else { continue }
            guard words.count == 2 else { throw DiagnosisKeyMappingError(number, .notTwoWords) }
            switch words[0] {
            case "missing":
                guard missing == nil else { throw DiagnosisKeyMappingError(number, .repeated("missing")) }
                missing = try Self.infectiousness(words[1], number)
            case "report":
                guard report == nil else { throw DiagnosisKeyMappingError(number, .repeated("report")) }
                report = try Self.reportType(words[1], number)
            default:
                let infectiousness = try Self.infectiousness(words[1], number)
                for day in try Self.days(words[0], number) {
                    guard byDay[day + Self.maximumDays] == nil else {
                        throw DiagnosisKeyMappingError(number, .repeated("day \(day)"))
                    }
                    byDay[day + Self.maximumDays] = infectiousness
                }
            }
        }
        if let place = byDay.firstIndex(of: nil) {
            throw DiagnosisKeyMappingError(nil, .left("day \(place - Self.maximumDays)"))
        }
        guard let missing else { throw DiagnosisKeyMappingError(nil, .left("missing")) }
        guard let report,
            let mapping = Self(
                byDay: byDay.compactMap(\.self), infectiousnessWhenMissing: missing,
                reportTypeWhenMissing: report)
        else { throw DiagnosisKeyMappingError(nil, .left("report")) }
        self = mapping
    }

    /// Parses `-3` or `-14..-3`.
    private static func days(_ word: String, _ line: Int) throws(DiagnosisKeyMappingError) -> ClosedRange<Int>
    {
        let ends = word.split(separator: "..", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
            -maximumDays <= first, first <= last, last <= maximumDays
        else { throw DiagnosisKeyMappingError(line, .noDays(word)) }
        return first...last
    }

    private static func infectiousness(
        _ word: String, _ line: Int
    ) throws(DiagnosisKeyMappingError) -> Infectiousness {
        switch word {
        case "none": .none
        case "standard": .standard
        case "high": .high
        default: throw DiagnosisKeyMappingError(line, .noInfectiousness(word))
        }
    }

    private static func reportType(
        _ word: String, _ line: Int
    ) throws(DiagnosisKeyMappingError) -> ExposureReportType {
        switch word {
        case "confirmed-test": .confirmedTest
        case "clinical": .confirmedClinicalDiagnosis
        case "self-report": .selfReport
        case "recursive": .recursive
        case "revoked": .revoked
        default: throw DiagnosisKeyMappingError(line, .noReportType(word))
        }
    }
}

/// An error in a mapping's text.
public struct DiagnosisKeyMappingError: Error, Equatable, Sendable {
    public enum Reason: Equatable, Sendable {
        case notTwoWords
        /// Neither days from -14 to 14, nor `missing`, nor `report`.
        case noDays(String)
        case noInfectiousness(String)
        case noReportType(String)
        case repeated(String)
        /// The whole text has no entry for it.
        case left(String)
    }

    /// Counted from 1; nil if the error concerns the whole text.
    public let line: Int?
    public let reason: Reason

    init(_ line: Int?, _ reason: Reason) {
        self.line = line
        self.reason = reason
    }
}
