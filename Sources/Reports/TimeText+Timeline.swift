import Archive

extension TimeText {
    /// A moment as tables have it: "2026-11-21 14:03:12", or counted from a start without a clock, which is named.
    public func moment(_ milliseconds: Int64, on timeline: Encounter.Timeline) -> String {
        switch timeline {
        case .wallClock: dateAndTime(milliseconds)
        case .sinceStart(let boot):
            "\(Self.relative(milliseconds)) (start \(String(boot, radix: 16).prefix(6)))"
        }
    }
}
