import Archive

/// One RSSI reading of an encounter, as `tabardctl encounters --readings` prints it, for boards that record
/// all.
public struct ReadingDocument: StreamedRow {
    public static let schema = PrintedSchema("readings")

    public let board: String
    @NullIfUnknown public private(set) var scheme: String?
    /// Hexadecimal.
    @NullIfUnknown public private(set) var identity: String?
    public let label: String
    /// RFC 3339, UTC; null without a wall clock.
    @NullIfUnknown public private(set) var time: String?
    /// Since the board's start; null on the wall clock.
    @NullIfUnknown public private(set) var secondsSinceStart: Double?
    public let rssiDBm: Int
    /// The transmit power that the peer reported at that time.
    @NullIfUnknown public private(set) var txPowerDBm: Int?
    /// The error bound of the time, either way.
    @NullIfUnknown public private(set) var errorSeconds: Double?

    private init(_ reading: Reading<TimelinePoint>, of encounter: Encounter, txPowerDBm: Int?) {
        board = encounter.board.hexadecimal
        scheme = encounter.identity?.scheme.label
        identity = encounter.identity?.hexadecimal
        label = encounter.label
        time = encounter.timeline.wallClock(reading.time).map(TimeText.utc)
        secondsSinceStart =
            encounter.isOnWallClock ? nil : Double(reading.time.milliseconds) / 1_000
        rssiDBm = reading.rssiDBm
        self.txPowerDBm = txPowerDBm
        errorSeconds = reading.error?.fractionalSeconds
    }

    /// The readings of an encounter, in order of time.
    public static func rows(_ encounter: Encounter) -> [ReadingDocument] {
        var samples = encounter.samples[...]
        return encounter.readings.map { reading in
            // Each reading lies within a sample, and both lists are in order of time.
            while let sample = samples.first, sample.end < reading.time { samples.removeFirst() }
            let power = samples.first.flatMap { $0.start <= reading.time ? $0.txPowerDBm : nil }
            return ReadingDocument(reading, of: encounter, txPowerDBm: power)
        }
    }

    /// A header line, and a line for each reading.
    public static func csv(_ encounters: [Encounter]) -> String {
        String(decoding: csvHeader + encounters.flatMap(rows).flatMap(\.csvLine), as: UTF8.self)
    }

    public static let columns = [
        "board", "scheme", "identity", "label", "time", "seconds_since_start", "rssi_dbm", "tx_power_dbm",
        "error_seconds",
    ]

    /// UTF-8.
    public static var csvHeader: [UInt8] { CSVLine(columns).utf8 }

    /// UTF-8.
    public var csvLine: [UInt8] {
        CSVLine([
            board, scheme ?? "", identity ?? "", label, time ?? "",
            secondsSinceStart.map { "\($0)" } ?? "", "\(rssiDBm)", txPowerDBm.map { "\($0)" } ?? "",
            errorSeconds.map { "\($0)" } ?? "",
        ]).utf8
    }
}
