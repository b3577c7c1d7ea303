import Archive
import FixedMemory

extension TimeText {
    /// A point for people: "2026-11-21 14:03:12", or the time since the boot, such as "+00:12:05".
    public func text(_ point: TimelinePoint, on timeline: Encounter.Timeline) -> String {
        timeline.wallClock(point).map(dateAndTime) ?? Self.relative(point)
    }

    /// A moment in tables: "2026-11-21 14:03:12", or the time since a named boot without a clock.
    public func moment(_ point: TimelinePoint, on timeline: Encounter.Timeline) -> String {
        guard case .sinceStart(let boot) = timeline else { return text(point, on: timeline) }
        return "\(Self.relative(point)) (boot \(String(boot, radix: 16).prefix(6)))"
    }

    /// The error of a time in tables: "±0.3 s", "unknown", or for a time off the wall clock its bounds, such
    /// as "before 2026-11-21 14:03:12".
    public func error(
        of timeline: Encounter.Timeline, _ error: Interval?, notBefore: WallClockTime?,
        notAfter: WallClockTime?
    ) -> String {
        if let error { return "±" + Self.error(error) }
        switch (notBefore, notAfter) {
        case (nil, nil): return timeline.isOnWallClock ? "unknown" : "-"
        case (let first?, nil): return "after " + dateAndTime(first)
        case (nil, let last?): return "before " + dateAndTime(last)
        case (let first?, let last?): return "\(dateAndTime(first)) to \(dateAndTime(last))"
        }
    }

    /// The error of a moment in tables.
    public func error(of moment: PlacedMoment) -> String {
        error(
            of: moment.timeline, moment.error, notBefore: moment.notBefore, notAfter: moment.notAfter)
    }

    /// "20 ms", "1.3 s", "4 min 10 s"
    public static func error(_ error: Interval) -> String {
        guard error < .minutes(1) else { return duration(error) }
        guard error >= .seconds(1) else { return "\(error.milliseconds) ms" }
        // Errors are rounded up, never down.
        let tenths = (error.milliseconds + 99) / 100
        return tenths.isMultiple(of: 10) ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }

    /// The time since a boot: "+00:12:05". It may lie before the boot in an untrusted log.
    public static func relative(_ point: TimelinePoint) -> String {
        relative(point.milliseconds.magnitude, sign: point.milliseconds < 0 ? "-" : "+")
    }
}
