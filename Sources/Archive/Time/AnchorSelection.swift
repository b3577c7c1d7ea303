import FixedMemory

/// The trusted anchors of one boot, and the clock bounds that follow from them.
///
/// Host anchors take precedence over those of the system clock: anchors that contradict them are rejected.
/// Among contradicting anchors of one source, the largest consistent group is trusted, where anchors of hosts
/// within an hour count as one. A system clock of unknown error gives no bounds.
struct AnchorSelection {
    var bounds: [ClockBounds.Bound] = []
    var drift = ClockDrift.quartz
    /// Milliseconds from monotonic time to a system clock of unknown error, if there is one.
    var uncheckedOffset: Int64?
    var usedCount = 0
    /// Rejected anchors: they contradict others, or their clock was not set (``WallClockTime/isCredible``).
    var rejectedCount = 0
    /// True if a host anchor is among the trusted ones.
    var hasHost = false

    /// Anchors of hosts that agree and are less than an hour apart are one statement. They are probably one
    /// host's, which may repeat a wrong date as often as it likes.
    private static let repeatSpacing = Interval.seconds(3_600)
    /// The largest spread of anchors of unknown error that still count as one clock setting.
    private static let uncheckedSpread = Interval.seconds(2)

    init(_ anchors: [Anchor]) {
        let sorted = Self.withoutRepeats(anchors)
        let credible = sorted.filter(\.wallClock.isCredible)
        let known = credible.filter { $0.error < Anchor.unknownError }
        let hosts = known.filter { $0.source == .host }
        let systems = known.filter { $0.source != .host }
        // A clock that knows its error is steered, and the monotonic clock is steered with it.
        drift = .steered
        let loose = Self.consistent(hosts, drift)
        var believed = Self.merged(loose.members.map { hosts[$0] }, systems, drift)
        hasHost = believed.contains { $0.source == .host }
        if believed.allSatisfy({ $0.source == .host }) {
            // Without such a clock, the monotonic clock runs on its quartz. The wider drift is only kept if
            // it lets more host anchors agree.
            let strict = Self.consistent(hosts, .quartz)
            if strict.weight >= loose.weight {
                believed = strict.members.map { hosts[$0] }
                drift = .quartz
            }
            bounds = believed.map(ClockBounds.Bound.init)
            narrowDrift(believed)
        }
        bounds = believed.map(ClockBounds.Bound.init)
        usedCount = believed.count
        let unchecked = credible.filter { $0.error >= Anchor.unknownError }
        rejectedCount = sorted.count - usedCount - unchecked.count
        if believed.isEmpty { chooseUnchecked(unchecked) }
    }

    /// Rejects all anchors, because they contradict other boots.
    mutating func reject() {
        rejectedCount += usedCount
        usedCount = 0
        bounds = []
        hasHost = false
        drift = .quartz
    }

    /// Sorts the anchors by time and removes repeats: the host and the board both record the same clock
    /// exchange.
    private static func withoutRepeats(_ anchors: [Anchor]) -> [Anchor] {
        let sorted = anchors.sorted {
            ($0.instant, $0.wallClock, $0.error) < ($1.instant, $1.wallClock, $1.error)
        }
        var result: [Anchor] = []
        for anchor in sorted {
            let isRepeat =
                result.last?.instant == anchor.instant && result.last?.wallClock == anchor.wallClock
            if !isRepeat { result.append(anchor) }
        }
        return result
    }

    private static func consistent(_ hosts: [Anchor], _ drift: ClockDrift) -> ConsistentAnchors {
        ConsistentAnchors(hosts, drift: drift, spacing: repeatSpacing)
    }

    /// The host anchors and those of the system clock that agree with all of them, and most of which agree
    /// with each other.
    private static func merged(_ hosts: [Anchor], _ systems: [Anchor], _ drift: ClockDrift) -> [Anchor] {
        let clock = ClockBounds(hosts.map(ClockBounds.Bound.init), drift: drift)
        let agreeing = systems.filter { anchor in
            let bound = ClockBounds.Bound(anchor)
            let at = anchor.monotonicMilliseconds
            return clock.earliestMilliseconds(at: at) ?? .min <= bound.latestMilliseconds ?? .max
                && clock.latestMilliseconds(at: at) ?? .max >= bound.earliestMilliseconds ?? .min
        }
        let all = (hosts + agreeing).sorted { $0.monotonicMilliseconds < $1.monotonicMilliseconds }
        let most = ConsistentAnchors(all, drift: drift) { $0.source == .host ? agreeing.count + 1 : 1 }
        return most.members.map { all[$0] }
    }

    /// Narrows the drift by the rate between two distant trusted anchors. The clock's rate varies around it
    /// by ``ClockDrift/wander``.
    private mutating func narrowDrift(_ believed: [Anchor]) {
        guard let first = believed.first, let last = believed.last,
            last.monotonicMilliseconds > first.monotonicMilliseconds
        else { return }
        let elapsed = Double(last.monotonicMilliseconds - first.monotonicMilliseconds)
        let gained = Double(last.wallClockMilliseconds - first.wallClockMilliseconds) - elapsed
        let error = Double(first.errorMilliseconds + last.errorMilliseconds)
        let shown = ClockDrift(
            slowest: (gained - error) / elapsed - ClockDrift.wander,
            fastest: (gained + error) / elapsed + ClockDrift.wander)
        guard let narrower = drift.intersection(shown), ClockBounds(bounds, drift: narrower).isConsistent
        else { return }
        drift = narrower
    }

    private mutating func chooseUnchecked(_ anchors: [Anchor]) {
        var readings = anchors
        for index in readings.indices {
            readings[index].error = Self.uncheckedSpread
        }
        let most = ConsistentAnchors(readings, drift: .steered).members
        guard let last = most.last else { return }
        uncheckedOffset =
            readings[last].wallClockMilliseconds - readings[last].monotonicMilliseconds
        rejectedCount += readings.count - most.count
    }
}

// The fit is signed and in milliseconds, because its offsets and bounds may lie before 1970.

extension Anchor {
    var monotonicMilliseconds: Int64 { instant.fitted }
    var wallClockMilliseconds: Int64 { Int64(clamping: wallClock.milliseconds) }
    var errorMilliseconds: Int64 { Int64(clamping: error.milliseconds) }
}

extension Instant {
    /// The instant as the fit counts it.
    var fitted: Int64 { Int64(clamping: milliseconds) }
}

extension ClockBounds.Bound {
    init(_ anchor: Anchor) {
        self.init(
            monotonicMilliseconds: anchor.monotonicMilliseconds,
            earliestMilliseconds: anchor.wallClockMilliseconds - anchor.errorMilliseconds,
            latestMilliseconds: anchor.wallClockMilliseconds + anchor.errorMilliseconds)
    }
}
