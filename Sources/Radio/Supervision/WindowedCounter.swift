/// How much a counter has grown in this and the last ten seconds.
package struct WindowedCounter: BitwiseCopyable {
    private static let windowMilliseconds: UInt64 = 10_000

    private var startMilliseconds: UInt64 = 0
    private var base: UInt64 = 0
    private var inLastWindow: UInt64 = 0
    private(set) var growth: UInt64 = 0

    mutating func restart(at total: UInt64, nowMilliseconds now: UInt64) {
        startMilliseconds = now
        base = total
        inLastWindow = 0
        growth = 0
    }

    mutating func advance(to total: UInt64, nowMilliseconds now: UInt64) {
        let inWindow = total &- base
        growth = max(inWindow, inLastWindow)
        guard now >= startMilliseconds + Self.windowMilliseconds else { return }
        startMilliseconds = now
        base = total
        inLastWindow = inWindow
    }
}
