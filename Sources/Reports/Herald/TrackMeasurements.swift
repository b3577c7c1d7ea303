import Archive

/// A track's RSSI over time: its readings, or its samples where the readings were not recorded or are lost.
/// Each reading has the transmit power of the sample that contains it.
struct TrackMeasurements {
    let all: [(milliseconds: Int64, rssi: HeraldLogRSSI)]

    init(_ track: RecordedTrack) {
        guard !track.readings.isEmpty else {
            all = track.samples.map { ($0.endMilliseconds, HeraldLogRSSI($0)) }
            return
        }
        var measurements: [(milliseconds: Int64, rssi: HeraldLogRSSI)] = []
        var next = 0
        let readings = track.readings.sorted { $0.milliseconds < $1.milliseconds }
        func take(while isTaken: (Reading) -> Bool, txPowerDBm: Int?) -> Bool {
            let first = next
            while next < readings.count, isTaken(readings[next]) {
                let rssi = HeraldLogRSSI(wholeDBm: readings[next].rssiDBm, txPowerDBm: txPowerDBm)
                measurements.append((readings[next].milliseconds, rssi))
                next += 1
            }
            return next > first
        }
        for sample in track.samples.sorted(by: { $0.startMilliseconds < $1.startMilliseconds }) {
            // These readings belong to samples whose entries are lost.
            _ = take(while: { $0.milliseconds < sample.startMilliseconds }, txPowerDBm: nil)
            let hasReadings = take(
                while: { $0.milliseconds <= sample.endMilliseconds }, txPowerDBm: sample.txPowerDBm)
            if !hasReadings { measurements.append((sample.endMilliseconds, HeraldLogRSSI(sample))) }
        }
        _ = take(while: { _ in true }, txPowerDBm: nil)
        all = measurements
    }
}
