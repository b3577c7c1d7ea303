import EncounterLog
import HCI

/// The open encounter of a peer, and the sample being gathered for it. Number 0 means there is none.
struct Track: BitwiseCopyable, Sendable {
    var encounter: UInt32 = 0
    var readings: UInt32 = 0
    /// Whether the encounter's opening is in the log already. It waits while a peer is only a candidate.
    var isWritten = false
    var foundBy = PeerHint.heraldService

    var firstMilliseconds: UInt64 = 0
    var lastMilliseconds: UInt64 = 0

    var sampleStartMilliseconds: UInt64 = 0
    var sampleEndMilliseconds: UInt64 = 0
    var sampleReadings: UInt16 = 0
    var minimumDBm: Int8 = 0
    var maximumDBm: Int8 = 0
    var sumDBm: Int32 = 0

    var isOpen: Bool { encounter != 0 }

    mutating func open(_ number: UInt32, foundBy how: PeerHint, atMilliseconds now: UInt64) {
        self = Track()
        encounter = number
        foundBy = how
        firstMilliseconds = now
        lastMilliseconds = now
    }

    /// Whether a reading now may begin or end something, an encounter or a sample.
    @inline(__always)
    func isTurning(atMilliseconds now: UInt64, _ settings: RecorderSettings) -> Bool {
        !isOpen || now > lastMilliseconds + settings.gapMilliseconds
            || isSampleFull(atMilliseconds: now, settings)
    }

    /// Whether the sample, if the log is to have it, has taken as long as it should, or no more readings fit.
    @inline(__always)
    func isSampleFull(atMilliseconds now: UInt64, _ settings: RecorderSettings) -> Bool {
        isWritten && sampleReadings > 0
            && (now >= sampleStartMilliseconds + settings.sampleMilliseconds || sampleReadings == .max)
    }

    @inline(__always)
    mutating func add(_ rssi: RSSI, atMilliseconds now: UInt64) {
        readings &+= 1
        lastMilliseconds = now
        if sampleReadings == 0 {
            sampleStartMilliseconds = now
            minimumDBm = rssi.dBm
            maximumDBm = rssi.dBm
            sumDBm = 0
        } else {
            minimumDBm = min(minimumDBm, rssi.dBm)
            maximumDBm = max(maximumDBm, rssi.dBm)
        }
        sampleEndMilliseconds = now
        // A sample that waits (for a candidate to be confirmed, for room) may fill up; its mean then stays.
        guard sampleReadings < .max else { return }
        sampleReadings += 1
        sumDBm += Int32(rssi.dBm)
    }

    /// The gathered sample; the next one starts empty.
    mutating func takeSample(transmitPower: TransmitPower?) -> SampleEntry {
        let count = Int32(max(sampleReadings, 1))
        // Rounded to the nearest tenth.
        let mean = (sumDBm * 10 + (sumDBm < 0 ? -count : count) / 2) / count
        defer { sampleReadings = 0 }
        return SampleEntry(
            encounter: encounter, startMilliseconds: sampleStartMilliseconds,
            endMilliseconds: sampleEndMilliseconds, readings: sampleReadings, minimumRSSIDBm: minimumDBm,
            maximumRSSIDBm: maximumDBm, meanRSSITenthsDBm: Int16(truncatingIfNeeded: mean),
            txPowerDBm: transmitPower?.dBm ?? SampleEntry.unknownTxPowerDBm)
    }
}
