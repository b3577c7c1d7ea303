import Archive
import EncounterLog
import Exposure
import FixedMemory
import Schemes

/// The output of `tabardctl match exposure-notification` for programs.
public struct ExposureDocument: PrintedDocument {
    public static let schema = PrintedSchema("exposures")

    /// RFC 3339, UTC, as are all times here.
    public let asOf: String
    public let risk: String
    public let publishedKeys: Int
    public let searchedEncounters: Int
    /// Pages that were not searched, because no signature of the board covers them or they are forged.
    public var leftOutPages = 0
    public let encounters: [EncounterRow]
    public let windows: [WindowRow]
    public let days: [DayRow]

    public struct EncounterRow: Sendable {
        public let board: String
        /// Hexadecimal, as are all identifiers and keys here.
        public let identifier: String
        public let key: String
        public let start: String
        public let end: String
        /// The error bounds of start and end, either way; null if unknown.
        @NullIfUnknown public private(set) var startErrorSeconds: Double?
        @NullIfUnknown public private(set) var endErrorSeconds: Double?
        /// The start of the identifier's ten-minute interval, by the sender's clock.
        public let intervalStart: String
        public let readings: Int
        /// dBm; null if the metadata contains a value that phones do not use.
        @NullIfUnknown public private(set) var txPower: Int?
        /// dB, the mean over all RSSI readings; null if unknown.
        @NullIfUnknown public private(set) var attenuation: Double?
        /// As in the export, for example `confirmedTest`; `revoked` if the authority has withdrawn the key.
        public let reportType: String
    }

    public struct WindowRow: Encodable, Sendable {
        public let board: String
        public let key: String
        public let start: String
        public let seconds: Int
        public let scans: Int
        /// dB, the mean of the scans weighted by their durations.
        public let attenuation: Double
        /// The duration by the attenuation of the scans.
        public let secondsByAttenuation: AttenuationSeconds
        /// `none`, `standard` or `high`.
        public let infectiousness: String
        public let reportType: String
    }

    public struct DayRow: Sendable {
        public let board: String
        /// The day in UTC.
        public let date: String
        public let windows: Int
        public let seconds: Int
        public let score: Double
        /// `none`, `low` or `high`; null with `version-1`.
        @NullIfUnknown public private(set) var level: String?
    }

    public init(
        _ search: ExposureSearch, days: [ExposureDay], by model: ExposureRiskModel, publishedKeyCount: Int,
        now: WallClockTime, receiverCorrectionDB: Int
    ) {
        asOf = TimeText.utc(now)
        risk = model.rawValue
        publishedKeys = publishedKeyCount
        searchedEncounters = search.counts.searched
        encounters = search.exposures.map { EncounterRow($0, receiverCorrectionDB) }
        windows = search.windows.map(WindowRow.init)
        self.days = days.map(DayRow.init)
    }

    public static let columns = [
        "board", "identifier", "key", "start", "end", "start_error_seconds", "end_error_seconds",
        "interval_start", "readings", "tx_power_dbm", "attenuation_db", "report_type",
    ]

    /// Only the encounters.
    public var rows: [[String]] { encounters.map(\.fields) }
}

extension ExposureDocument.EncounterRow: Encodable {
    fileprivate init(_ exposure: Exposure, _ receiverCorrectionDB: Int) {
        let encounter = exposure.encounter
        board = encounter.board.hexadecimal
        identifier = [UInt8](encounter.identity?.payload.prefix(16) ?? []).hexadecimal
        key = exposure.published.hexadecimal
        start = TimeText.utc(WallClockTime(clamping: encounter.start.milliseconds))
        end = TimeText.utc(WallClockTime(clamping: encounter.end.milliseconds))
        startErrorSeconds = encounter.startError?.fractionalSeconds
        endErrorSeconds = encounter.endError?.fractionalSeconds
        intervalStart = TimeText.utc(WallClockTime(seconds: UInt64(exposure.interval.startSeconds)))
        readings = encounter.readingCount
        txPower = exposure.txPowerDBm.map(Int.init)
        attenuation = exposure.attenuationDB(receiverCorrectionDB: receiverCorrectionDB)?.roundedToTenths
        reportType = "\(exposure.published.statedReportType)"
    }

    fileprivate var fields: [String] {
        let errors: [String] = [startErrorSeconds, endErrorSeconds].map { $0.map { "\($0)" } ?? "" }
        let power = txPower.map { "\($0)" } ?? ""
        let loss = attenuation.map { "\($0)" } ?? ""
        return [board, identifier, key, start, end] + errors + [
            intervalStart, "\(readings)", power, loss, reportType,
        ]
    }
}

extension ExposureDocument.WindowRow {
    fileprivate init(_ window: BoardExposureWindow) {
        board = window.board.hexadecimal
        key = window.published.hexadecimal
        start = TimeText.utc(WallClockTime(seconds: window.window.startSeconds))
        seconds = window.seconds
        scans = window.window.scans.count
        attenuation = window.attenuationDB.roundedToTenths
        secondsByAttenuation = AttenuationSeconds(window)
        infectiousness = "\(window.window.infectiousness)"
        reportType = "\(window.window.reportType)"
    }
}

extension ExposureDocument.DayRow: Encodable {
    fileprivate init(_ day: ExposureDay) {
        board = day.board.hexadecimal
        date = String(TimeText.utc(WallClockTime(days: day.daysSince1970)).prefix(10))
        windows = day.windowCount
        seconds = day.seconds
        score = day.score.roundedToTenths
        level = day.level.map { "\($0)" }
    }
}

extension PublishedKey {
    /// The type that the export states, without a mapping.
    fileprivate var statedReportType: ExposureReportType {
        reportType.flatMap { ExposureReportType(rawValue: Int($0)) } ?? .unknown
    }

    fileprivate var hexadecimal: String { [UInt8](copying: key.data.span).hexadecimal }
}
