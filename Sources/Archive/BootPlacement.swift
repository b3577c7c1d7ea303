/// Where the times of one start of the agent lie: on the wall clock, or, without an anchor, counted from that start.
public struct BootPlacement: Sendable, Equatable {
    public let timeline: Encounter.Timeline
    /// From the boot's monotonic clock to the timeline.
    public let offsetMilliseconds: Int64

    public init(_ boot: BootHistory) {
        if let clock = BootClock(boot.anchors) {
            timeline = .wallClock(errorMilliseconds: clock.errorMilliseconds)
            offsetMilliseconds = clock.offsetMilliseconds
        } else {
            timeline = .sinceStart(boot: boot.identifier)
            offsetMilliseconds = -(boot.parameters?.startMilliseconds ?? 0)
        }
    }

    public var isOnWallClock: Bool { timeline.isOnWallClock }
}
