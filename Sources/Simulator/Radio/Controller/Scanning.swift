import HCI

/// The schedule of a receiver: it listens on one channel at a time, for a window in each interval.
struct Scanning {
    var interval: SimulatedDuration
    var window: SimulatedDuration
    var start: SimulatedTime
    /// The address to connect to; nil to report all adverts.
    var wanted: DeviceAddress?

    static let channelCount: UInt64 = 3

    /// The index (0 to 2) of the advertising channel at `time`.
    @inline(__always)
    func channel(at time: SimulatedTime) -> UInt64 {
        (time - start).microseconds / interval.microseconds % Self.channelCount
    }

    /// Whether the receiver listens from `begin` to `end` on the channel of `begin`.
    @inline(__always)
    func hears(from begin: SimulatedTime, to end: SimulatedTime) -> Bool {
        guard begin >= start else { return false }
        let place = (begin - start).microseconds % interval.microseconds
        return place + (end - begin).microseconds <= window.microseconds
    }
}
