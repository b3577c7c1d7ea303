import FixedMemory

/// How much a counter has grown in this and the last ten seconds.
package struct WindowedCounter: BitwiseCopyable {
    private static let window = Interval.seconds(10)

    private var start = Instant.start
    private var base: UInt64 = 0
    private var inLastWindow: UInt64 = 0
    private(set) var growth: UInt64 = 0

    mutating func restart(at total: UInt64, now: Instant) {
        start = now
        base = total
        inLastWindow = 0
        growth = 0
    }

    mutating func advance(to total: UInt64, now: Instant) {
        let inWindow = total &- base
        growth = max(inWindow, inLastWindow)
        guard now >= start + Self.window else { return }
        start = now
        base = total
        inLastWindow = inWindow
    }
}
