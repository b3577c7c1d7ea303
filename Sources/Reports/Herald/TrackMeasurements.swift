import Archive
import FixedMemory

/// A track's RSSI over time: its readings, or its samples where the readings were not recorded or are lost.
/// Each reading has the transmit power of the sample that contains it.
struct TrackMeasurements {
    let all: [(time: WallClockTime, rssi: HeraldLogRSSI)]

    init(_ track: HeraldTrack) {
        guard !track.readings.isEmpty else {
            all = track.samples.map { ($0.end, HeraldLogRSSI($0)) }
            return
        }
        var measurements: [(time: WallClockTime, rssi: HeraldLogRSSI)] = []
        var next = 0
        let readings = track.readings.sorted { $0.time < $1.time }
        func take(while isTaken: (Reading<WallClockTime>) -> Bool, txPowerDBm: Int?) -> Bool {
            let first = next
            while next < readings.count, isTaken(readings[next]) {
                let rssi = HeraldLogRSSI(wholeDBm: readings[next].rssiDBm, txPowerDBm: txPowerDBm)
                measurements.append((readings[next].time, rssi))
                next += 1
            }
            return next > first
        }
        for sample in track.samples.sorted(by: { $0.start < $1.start }) {
            // These readings belong to samples whose entries are lost.
            _ = take(while: { $0.time < sample.start }, txPowerDBm: nil)
            let hasReadings = take(
                while: { $0.time <= sample.end }, txPowerDBm: sample.txPowerDBm)
            if !hasReadings { measurements.append((sample.end, HeraldLogRSSI(sample))) }
        }
        _ = take(while: { _ in true }, txPowerDBm: nil)
        all = measurements
    }
}
