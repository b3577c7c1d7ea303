import Archive
import LogContents

/// How a board's day is judged: by one of the models that phones have had, with parameters of an app that was in use.
public enum ExposureRiskModel: String, CaseIterable, Sendable {
    case coronaWarnApp = "corona-warn-app"
    case swissCovidPilot = "swisscovid-pilot"
    /// The first model: a product of tables, Corona-Warn-App's of 2020.
    case firstVersion = "version-1"

    /// Days before today that its app judged; nil for all that phones still know.
    public var lookBackDays: Int? {
        switch self {
        case .coronaWarnApp: DeployedExposureRisk.coronaWarnApp.lookBackDays
        case .swissCovidPilot: DeployedExposureRisk.swissCovidPilot.lookBackDays
        case .firstVersion: nil
        }
    }
}

/// What being at a board on one day comes to.
public struct ExposureDay: Equatable, Sendable {
    public let board: LogIdentity
    /// UTC
    public let daysSince1970: UInt64
    public let windowCount: Int
    /// Of all windows, whatever their weight.
    public let seconds: Int
    /// Weighted seconds of the second model; of the first the greatest product of any key's.
    public let score: Double
    /// None where the first model is asked: its apps judged otherwise.
    public let level: DeployedExposureRisk.Level?

    /// By days, then boards. Windows of revoked reports do not count, nor those of days that the model does not judge any more.
    public static func days(
        of windows: [BoardExposureWindow], by model: ExposureRiskModel, nowMilliseconds: Int64
    ) -> [ExposureDay] {
        let counted = windows.filter { window in
            ExposureWeights.reportTypes.contains(window.window.reportType)
                && !(model.lookBackDays.map { window.isOlder(than: $0, nowMilliseconds: nowMilliseconds) }
                    ?? false)
        }
        let byBoard = Dictionary(grouping: counted, by: \.board)
        let days = byBoard.flatMap { board, windows in
            Dictionary(grouping: windows) { $0.window.startSeconds / 86_400 }.map { day, windows in
                ExposureDay(board, day, windows, model, nowMilliseconds)
            }
        }
        return days.sorted {
            ($0.daysSince1970, $0.board.hexadecimal) < ($1.daysSince1970, $1.board.hexadecimal)
        }
    }

    private init(
        _ board: LogIdentity, _ day: UInt64, _ windows: [BoardExposureWindow], _ model: ExposureRiskModel,
        _ nowMilliseconds: Int64
    ) {
        self.board = board
        daysSince1970 = day
        windowCount = windows.count
        seconds = windows.reduce(0) { $0 + $1.seconds }
        switch model {
        case .coronaWarnApp: (score, level) = Self.judged(windows, by: .coronaWarnApp)
        case .swissCovidPilot: (score, level) = Self.judged(windows, by: .swissCovidPilot)
        case .firstVersion:
            let daysAgo = Int(nowMilliseconds / 86_400_000) - Int(day)
            score = Double(Self.greatestProduct(windows, daysAgo: daysAgo))
            level = nil
        }
    }

    private static func judged(
        _ windows: [BoardExposureWindow], by risk: DeployedExposureRisk
    ) -> (Double, DeployedExposureRisk.Level) {
        // All are of one day.
        guard let day = DailyExposure.days(of: windows.map(\.window), by: risk.weights).first else {
            return (0, .none)
        }
        return (day.scoreSum, risk.level(of: day))
    }

    /// An exposure of the first model is a key's day.
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
    /// Whether its day (UTC) is more than so many before today's.
    public func isOlder(than days: Int, nowMilliseconds: Int64) -> Bool {
        let today = Int64(max(0, nowMilliseconds) / 86_400_000)
        return today - Int64(window.startSeconds / 86_400) > Int64(days)
    }
}
