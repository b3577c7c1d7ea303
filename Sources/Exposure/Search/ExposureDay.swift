import Archive
import FixedMemory
import LogContents

/// A risk model of exposure notification on phones, with the parameters of an app that was in use.
public enum ExposureRiskModel: String, CaseIterable, Sendable {
    case coronaWarnApp = "corona-warn-app"
    case swissCovidPilot = "swisscovid-pilot"
    /// The first version of the model: a product of tables, with Corona-Warn-App's values of 2020.
    case firstVersion = "version-1"

    /// The number of days before today that its app considered; nil for all days that phones keep.
    public var lookBackDays: Int? {
        switch self {
        case .coronaWarnApp: DeployedExposureRisk.coronaWarnApp.lookBackDays
        case .swissCovidPilot: DeployedExposureRisk.swissCovidPilot.lookBackDays
        case .firstVersion: nil
        }
    }
}

/// The risk of one day at one board.
public struct ExposureDay: Equatable, Sendable {
    public let board: LogIdentity
    /// The day in UTC.
    public let daysSince1970: UInt64
    public let windowCount: Int
    /// The duration of all windows, regardless of their weight.
    public let seconds: Int
    /// Weighted seconds in the second version of the model; in the first version the largest product of any
    /// key.
    public let score: Double
    /// Nil for the first version, because its apps judged the risk differently.
    public let level: DeployedExposureRisk.Level?

    /// The days in order, then by board. Windows of revoked reports and of days beyond the model's look-back
    /// time do not count.
    public static func days(
        of windows: [BoardExposureWindow], by model: ExposureRiskModel, now: WallClockTime
    ) -> [ExposureDay] {
        let counted = windows.filter { window in
            ExposureWeights.reportTypes.contains(window.window.reportType)
                && !(model.lookBackDays.map { window.isOlder(than: $0, now: now) }
                    ?? false)
        }
        let byBoard = Dictionary(grouping: counted, by: \.board)
        let days = byBoard.flatMap { board, windows in
            Dictionary(grouping: windows) { $0.window.startSeconds / 86_400 }.map { day, windows in
                ExposureDay(board, day, windows, model, now)
            }
        }
        return days.sorted {
            ($0.daysSince1970, $0.board.hexadecimal) < ($1.daysSince1970, $1.board.hexadecimal)
        }
    }

    private init(
        _ board: LogIdentity, _ day: UInt64, _ windows: [BoardExposureWindow], _ model: ExposureRiskModel,
        _ now: WallClockTime
    ) {
        self.board = board
        daysSince1970 = day
        windowCount = windows.count
        seconds = windows.reduce(0) { $0 + $1.seconds }
        switch model {
        case .coronaWarnApp: (score, level) = Self.judged(windows, by: .coronaWarnApp)
        case .swissCovidPilot: (score, level) = Self.judged(windows, by: .swissCovidPilot)
        case .firstVersion:
            let daysAgo = Int(now.days) - Int(day)
            score = Double(Self.greatestProduct(windows, daysAgo: daysAgo))
            level = nil
        }
    }

    private static func judged(
        _ windows: [BoardExposureWindow], by risk: DeployedExposureRisk
    ) -> (Double, DeployedExposureRisk.Level) {
        // All windows are of one day.
        guard let day = DailyExposure.days(of: windows.map(\.window), by: risk.weights).first else {
            return (0, .none)
        }
        return (day.scoreSum, risk.level(of: day))
    }

    /// In the first version of the model, an exposure is one day of one key.
    private static func greatestProduct(_ windows: [BoardExposureWindow], daysAgo: Int) -> Int {
        let keys = Dictionary(grouping: windows) { [UInt8](copying: $0.published.key.data.span) }
        return keys.values.map { windows in
            let seconds = windows.reduce(0) { $0 + $1.seconds }
            let attenuation = windows.reduce(0.0) { $0 + $1.attenuationDB * Double($1.seconds) }
            return ExposureRiskScore.coronaWarnApp.score(
                attenuationDB: Int((attenuation / Double(max(1, seconds))).rounded()), daysAgo: daysAgo,
                minutes: (seconds + 59) / 60, transmissionRisk: windows[0].published.transmissionRisk)
        }.max() ?? 0
    }
}

extension BoardExposureWindow {
    /// True if its day (UTC) is more than the given number of days before today.
    public func isOlder(than days: Int, now: WallClockTime) -> Bool {
        now.days > window.startSeconds / 86_400 + UInt64(max(0, days))
    }
}
