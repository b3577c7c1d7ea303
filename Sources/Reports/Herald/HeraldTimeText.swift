import Analysis
import FixedMemory
import Foundation
import TextFormats

/// Times in the formats of Herald's log generations: whole seconds, or milliseconds with the zone's offset.
struct HeraldTimeText {
    let zone: LocalZone
    /// The last quarter of an hour whose offset was computed. Offsets only change at its beginning, and
    /// calendar calls are slow.
    private var quarter: Int64 = .min
    private var offsetSeconds: Int64 = 0

    init(zone: LocalZone) { self.zone = zone }

    /// `2022-11-29 22:21:56`, or `2022-11-29 22:21:56.552+0000`.
    mutating func append(
        _ time: WallClockTime, generation: HeraldLogGeneration, to text: inout [UInt8]
    ) {
        let seconds = Int64(clamping: time.seconds)
        look(at: seconds)
        CivilTime.append(seconds + offsetSeconds, to: &text)
        guard generation == .second else { return }
        let thousandths = Int64(time.milliseconds % 1_000)
        text.append(UInt8(ascii: "."))
        appendDigits(thousandths / 100, thousandths / 10 % 10, thousandths % 10, to: &text)
        text.append(UInt8(ascii: offsetSeconds < 0 ? "-" : "+"))
        let minutes = abs(offsetSeconds) / 60
        appendDigits(
            minutes / 600, minutes / 60 % 10, minutes % 60 / 10, minutes % 60 % 10, to: &text)
    }

    private mutating func look(at seconds: Int64) {
        let quarter = CivilTime.floor(seconds, by: 900)
        guard quarter != self.quarter else { return }
        self.quarter = quarter
        offsetSeconds = zone.secondsFromUTC(at: WallClockTime(clamping: seconds * 1_000))
    }

    private func appendDigits(_ digits: Int64..., to text: inout [UInt8]) {
        for digit in digits { text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)) }
    }
}
