import Archive
import FixedMemory

/// A recorded track on the wall clock, as far as Herald's logs express it.
struct HeraldTrack {
    let number: UInt32
    let address: RecordedAddress?
    let firstSighting: WallClockTime?
    let lastReading: WallClockTime?
    let identifications: [(time: WallClockTime, identity: Identity)]
    let samples: [Sample<WallClockTime>]
    let readings: [Reading<WallClockTime>]

    init(_ track: RecordedTrack, _ clock: (Instant) -> WallClockTime) {
        number = track.number
        address = track.address
        firstSighting = track.firstSighting.map(clock)
        lastReading = track.lastReading.map(clock)
        identifications = track.believedIdentifications.map { (clock($0.instant), $0.identity) }
        samples = track.samples.map { $0.placed(clock) }
        readings = track.readings.map { Reading(time: clock($0.time), rssiDBm: $0.rssiDBm) }
    }
}
