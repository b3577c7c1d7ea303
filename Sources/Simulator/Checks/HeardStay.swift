import FixedMemory

/// A stay of a device near the board, as ``EncountersAreTrue`` knows it from the reports that arrived.
struct HeardStay {
    var first: Instant
    var last: Instant
    var readings: UInt64
    var isRecorded = false
    /// Whether each report showed that its sender takes part, under an address at which no report had lost
    /// its pseudo device address. Otherwise the agent may have dropped the device in between, or know it by
    /// the address.
    var isCertain: Bool

    /// Joins the stays of one device that are not separated by an encounter timeout.
    static func joined(_ list: [HeardStay], within encounterTimeout: Interval) -> [HeardStay] {
        list.sorted { $0.first < $1.first }.reduce(into: []) { result, stay in
            guard let last = result.last, stay.first <= last.last + encounterTimeout else {
                return result.append(stay)
            }
            result[result.count - 1] = HeardStay(
                first: last.first, last: max(last.last, stay.last), readings: last.readings + stay.readings,
                isRecorded: last.isRecorded || stay.isRecorded, isCertain: last.isCertain && stay.isCertain)
        }
    }
}
