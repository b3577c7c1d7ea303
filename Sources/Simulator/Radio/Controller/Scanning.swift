import HCI

/// How a receiver listens: on one channel at a time, during a window in each interval.
struct Scanning {
    var interval: SimulatedDuration
    var window: SimulatedDuration
    var start: SimulatedTime
    /// Only adverts from this address, to connect to it; nil: all, to report them.
    var wanted: DeviceAddress?

    static let channelCount: UInt64 = 3

    /// The channel listened on at `time`: 0 to 2.
    @inline(__always)
    func channel(at time: SimulatedTime) -> UInt64 {
        (time - start).microseconds / interval.microseconds % Self.channelCount
    }

    /// Whether the receiver listens from `begin` to `end` on the channel it has at `begin`.
    @inline(__always)
    func hears(from begin: SimulatedTime, to end: SimulatedTime) -> Bool {
        guard begin >= start else { return false }
        let place = (begin - start).microseconds % interval.microseconds
        return place + (end - begin).microseconds <= window.microseconds
    }
}
