import Archive

/// Every reading of encounters as a table, for boards that write them all: RFC 4180, a header line, times in UTC to the
/// millisecond; without a wall clock, seconds since the board's start.
public enum ReadingCSV {
    public static let columns = [
        "board", "scheme", "identity", "label", "time", "seconds_since_start", "rssi_dbm", "tx_power_dbm",
        "error_seconds",
    ]

    public static func text(_ encounters: [Encounter]) -> String {
        EncounterCSV.line(columns) + encounters.map(rows).joined()
    }

    private static func rows(_ encounter: Encounter) -> String {
        var samples = encounter.samples[...]
        return encounter.readings.map { reading in
            // Each reading lies in a sample, and both are in order.
            while let sample = samples.first, sample.endMilliseconds < reading.milliseconds {
                samples.removeFirst()
            }
            let power = samples.first.flatMap {
                $0.startMilliseconds <= reading.milliseconds ? $0.txPowerDBm : nil
            }
            let isDated = encounter.isOnWallClock
            return EncounterCSV.line([
                encounter.board.hexadecimal, encounter.identity?.scheme.label ?? "",
                encounter.identity?.hexadecimal ?? "", encounter.label,
                isDated ? TimeText.utc(reading.milliseconds) : "",
                isDated ? "" : "\(Double(reading.milliseconds) / 1000)", "\(reading.rssiDBm)",
                power.map { "\($0)" } ?? "",
                reading.errorMilliseconds.map { "\(Double($0) / 1000)" } ?? "",
            ])
        }.joined()
    }
}
