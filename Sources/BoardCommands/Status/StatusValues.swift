import DeviceSync
import EncounterLog
import FixedMemory

/// Values of a status as words, which text and JSON share.
enum StatusValues {
    static func radio(_ state: BoardStatus.RadioState?) -> StaticString {
        state?.words ?? "unknown"
    }

    /// The fault as `tabardctl devices` words it.
    static func fault(_ number: UInt8) -> StaticString {
        RadioFaultKind(rawValue: number).words ?? "one of a later version"
    }

    static func hasLosses(_ status: BoardStatus) -> Bool {
        status.droppedEntryCount > 0 || status.evictedPeerCount > 0 || status.turnedAwayCount > 0
            || status.lostSegmentCount > 0
    }

    static func write(version: Bytes<3>, to line: inout FixedBuffer<1024>) throws(CapacityError) {
        for index in 0..<3 {
            if index > 0 { try line.append(".") }
            try line.append(decimal: version[index])
        }
    }

    /// RFC 3339, UTC, whole seconds.
    static func write(_ time: WallClockTime, to line: inout FixedBuffer<1024>) throws(CapacityError) {
        var text = FixedBuffer<64>()
        try DateTimeText.write(time, into: &text)
        try line.append(text.span.extracting(0..<min(text.count, 19)))
        try line.append("Z")
    }
}
