import EncounterLog
import HCI

/// A sample that has ended, before it is known whose it is.
struct GatheredSample: BitwiseCopyable, Equatable, Sendable {
    var startMilliseconds: UInt64
    var endMilliseconds: UInt64
    var sumDBm: Int32
    var readings: UInt16
    var minimumDBm: Int8
    var maximumDBm: Int8
    /// What the peer said it sent with.
    var powerDBm: Int8

    /// Goes on with the one after it. A sample has one power: if they have two, it says none.
    mutating func join(_ later: GatheredSample) {
        let total = UInt32(readings) + UInt32(later.readings)
        let sum = sumDBm + later.sumDBm
        if total <= UInt16.max {
            readings = UInt16(total)
            sumDBm = sum
        } else {
            // The mean stays.
            readings = .max
            sumDBm = Int32(Int64(sum) * Int64(UInt16.max) / Int64(total))
        }
        endMilliseconds = later.endMilliseconds
        minimumDBm = min(minimumDBm, later.minimumDBm)
        maximumDBm = max(maximumDBm, later.maximumDBm)
        if powerDBm != later.powerDBm { powerDBm = TransmitPower.unknownDBm }
    }

    /// Whether the two as one say all that they say apart, but for their times.
    func isLike(_ later: GatheredSample) -> Bool {
        powerDBm == later.powerDBm && UInt32(readings) + UInt32(later.readings) <= UInt16.max
    }

    func entry(encounter: UInt32) -> SampleEntry {
        let count = Int32(max(readings, 1))
        // Rounded to the nearest tenth.
        let mean = (sumDBm * 10 + (sumDBm < 0 ? -count : count) / 2) / count
        return SampleEntry(
            encounter: encounter, startMilliseconds: startMilliseconds, endMilliseconds: endMilliseconds,
            readings: readings, minimumRSSIDBm: minimumDBm, maximumRSSIDBm: maximumDBm,
            meanRSSITenthsDBm: Int16(truncatingIfNeeded: mean),
            txPowerDBm: TransmitPower(dBm: powerDBm)?.dBm ?? SampleEntry.unknownTxPowerDBm)
    }
}
