import Archive

extension TimeText {
    /// A moment in tables: "2026-11-21 14:03:12", or the time since a named boot without a clock.
    public func moment(_ milliseconds: Int64, on timeline: Encounter.Timeline) -> String {
        switch timeline {
        case .wallClock: dateAndTime(milliseconds)
        case .sinceStart(let boot):
            "\(Self.relative(milliseconds)) (boot \(String(boot, radix: 16).prefix(6)))"
        }
    }

    /// The error of a time in tables: "±0.3 s", "unknown", or for a time off the wall clock its bounds, such
    /// as "before 2026-11-21 14:03:12".
    public func error(
        of timeline: Encounter.Timeline, _ milliseconds: Int64?, notBefore: Int64?, notAfter: Int64?
    ) -> String {
        if let milliseconds { return "±" + Self.error(milliseconds) }
        switch (notBefore, notAfter) {
        case (nil, nil): return timeline.isOnWallClock ? "unknown" : "-"
        case (let first?, nil): return "after " + dateAndTime(first)
        case (nil, let last?): return "before " + dateAndTime(last)
        case (let first?, let last?): return "\(dateAndTime(first)) to \(dateAndTime(last))"
        }
    }

    /// "20 ms", "1.3 s", "4 min 10 s"
    public static func error(_ milliseconds: Int64) -> String {
        guard milliseconds < 60_000 else { return duration(milliseconds) }
        guard milliseconds >= 1_000 else { return "\(milliseconds) ms" }
        // Errors are rounded up, never down.
        let tenths = (milliseconds + 99) / 100
        return tenths.isMultiple(of: 10) ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
