import Archive

/// All RSSI readings of encounters as a CSV table (RFC 4180), for boards that record them. It has a header
/// line, and times in UTC to the millisecond, or seconds since the boot without a wall clock.
public enum ReadingCSV {
    public static let columns = [
        "board", "scheme", "identity", "label", "time", "seconds_since_start", "rssi_dbm", "tx_power_dbm",
        "error_seconds",
    ]

    public static func text(_ encounters: [Encounter]) -> String {
        CSVLine(columns).text + encounters.map(rows).joined()
    }

    private static func rows(_ encounter: Encounter) -> String {
        var samples = encounter.samples[...]
        return encounter.readings.map { reading in
            // Each reading lies within a sample, and both lists are in order of time.
            while let sample = samples.first, sample.end < reading.time {
                samples.removeFirst()
            }
            let power = samples.first.flatMap {
                $0.start <= reading.time ? $0.txPowerDBm : nil
            }
            let isDated = encounter.isOnWallClock
            return CSVLine([
                encounter.board.hexadecimal, encounter.identity?.scheme.label ?? "",
                encounter.identity?.hexadecimal ?? "", encounter.label,
                encounter.timeline.wallClock(reading.time).map(TimeText.utc) ?? "",
                isDated ? "" : "\(Double(reading.time.milliseconds) / 1000)", "\(reading.rssiDBm)",
                power.map { "\($0)" } ?? "",
                reading.error.map { "\($0.fractionalSeconds)" } ?? "",
            ]).text
        }.joined()
    }
}
