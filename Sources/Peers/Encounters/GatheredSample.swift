import EncounterLog
import FixedMemory
import HCI

/// A sample while readings are added to it, and afterwards while it waits for its encounter to be written.
struct GatheredSample: BitwiseCopyable, Equatable, Sendable {
    private(set) var start = Instant.start
    private(set) var end = Instant.start
    private(set) var sumDBm: Int32 = 0
    private(set) var readings: UInt16 = 0
    private(set) var minimumDBm: Int8 = 0
    private(set) var maximumDBm: Int8 = 0
    /// The transmit power that the peer stated when the sample began.
    private(set) var powerDBm = TransmitPower.unknownDBm

    var isEmpty: Bool { readings == 0 }
    var isFull: Bool { readings == .max }

    @inline(__always)
    mutating func add(_ rssi: RSSI, sentWith powerDBm: Int8, at now: Instant) {
        if isEmpty {
            start = now
            self.powerDBm = powerDBm
            minimumDBm = rssi.dBm
            maximumDBm = rssi.dBm
        } else {
            minimumDBm = min(minimumDBm, rssi.dBm)
            maximumDBm = max(maximumDBm, rssi.dBm)
        }
        end = now
        // A full sample that still waits for room keeps its mean.
        guard !isFull else { return }
        readings += 1
        sumDBm += Int32(rssi.dBm)
    }

    /// Sets the transmit power of the readings that follow. A sample states one power; if it has two, it
    /// states none.
    mutating func continueSample(sentWith powerDBm: Int8) {
        if !isEmpty, powerDBm != self.powerDBm { self.powerDBm = TransmitPower.unknownDBm }
    }

    /// Merges the sample that follows this one.
    mutating func join(_ later: GatheredSample) {
        let total = UInt32(readings) + UInt32(later.readings)
        let sum = sumDBm + later.sumDBm
        if total <= UInt16.max {
            readings = UInt16(total)
            sumDBm = sum
        } else {
            // The count saturates, and the mean stays.
            readings = .max
            sumDBm = Int32(Int64(sum) * Int64(UInt16.max) / Int64(total))
        }
        end = later.end
        minimumDBm = min(minimumDBm, later.minimumDBm)
        maximumDBm = max(maximumDBm, later.maximumDBm)
        continueSample(sentWith: later.powerDBm)
    }

    /// Whether a merged sample would keep the power and the exact count of readings.
    func isLike(_ later: GatheredSample) -> Bool {
        powerDBm == later.powerDBm && UInt32(readings) + UInt32(later.readings) <= UInt16.max
    }

    func entry(encounter: UInt32) -> SampleEntry {
        let count = Int32(max(readings, 1))
        // Rounds to the nearest tenth.
        let mean = (sumDBm * 10 + (sumDBm < 0 ? -count : count) / 2) / count
        return SampleEntry(
            encounter: encounter, start: start, end: end,
            readings: readings, minimumRSSIDBm: minimumDBm, maximumRSSIDBm: maximumDBm,
            meanRSSITenthsDBm: Int16(truncatingIfNeeded: mean),
            txPowerDBm: TransmitPower(dBm: powerDBm)?.dBm ?? SampleEntry.unknownTxPowerDBm)
    }
}
