import FixedMemory

/// Whether the reports with data and RSSI may be damaged ones without. Where a stream is garbled, a changed
/// length or RSSI makes some of the reports without content look good. They are few among the others.
struct ContentDoubt: BitwiseCopyable {
    /// A good report outweighs this many without content.
    private static let emptyPerGood = 16
    /// How long something damaged on the line is a reason for doubt.
    private static let damageTime = Interval.seconds(10)

    /// The reports without content of the last seconds, less those that good ones outweigh. An eighth of it
    /// fades each second.
    private var excess = 0
    private var good: UInt32 = 0
    private var empty: UInt32 = 0
    private var damage: UInt64 = 0
    private var damaged = Instant.start
    private(set) var isPresent = false

    mutating func advance(_ observed: RadioHealth.Observation, now: Instant) {
        let (goodNow, emptyNow) = (observed.statistics.goodReports, observed.statistics.emptyReports.total)
        let damageNow = observed.skippedByteCount &+ UInt64(observed.malformedEvents)
        if damageNow != damage { damaged = now }
        let newEmpty = Int(truncatingIfNeeded: emptyNow &- empty)
        let newGood = Int(truncatingIfNeeded: goodNow &- good)
        excess = excess &- excess >> 3 &+ newEmpty &- newGood &* Self.emptyPerGood
        (good, empty, damage) = (goodNow, emptyNow, damageNow)
        isPresent = excess > Self.emptyPerGood && now < damaged + Self.damageTime
    }
}
