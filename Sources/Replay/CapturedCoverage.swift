import Agent
import EncounterLog
import FixedMemory
import HCI
import Peers
import Radio

/// The intervals in which a capture's host was scanning with any of its adapters.
struct CapturedCoverage: BitwiseCopyable {
    /// Shorter pauses are the agent's own, for connection attempts.
    private static let longestPause = Interval.seconds(3)
    /// Within this time an agent without events has probed the controller and waited for the answer. During a
    /// longer silence it is unknown whether the radio worked, or the host was awake.
    private static let longestSilence =
        RadioController.probeInterval + CommandSlot.timeout

    private var start: Instant?
    private var lastScan = Instant.start
    private var lastPacket = Instant.start
    private var before = RecorderCounters()

    init() {}

    /// Records the time of a packet before it is processed. Returns an interval that has ended in silence.
    mutating func recordSilence(_ counters: RecorderCounters, now: Instant) -> CoverageEntry? {
        defer { lastPacket = now }
        return now > lastPacket + Self.longestSilence ? end(counters) : nil
    }

    /// Records whether an adapter scans now. Returns an interval that has ended.
    mutating func advance(isScanning: Bool, _ counters: RecorderCounters, now: Instant) -> CoverageEntry? {
        if start == nil, isScanning { start = now }
        if isScanning { lastScan = now }
        guard start != nil, now > lastScan + Self.longestPause else {
            return nil
        }
        return end(counters)
    }

    /// Returns the interval that the capture's end cuts off.
    mutating func end(_ counters: RecorderCounters) -> CoverageEntry? {
        guard let start else { return nil }
        self.start = nil
        defer { before = counters }
        return CoverageEntry(
            start: start, end: lastScan,
            reports: counters.reports &- before.reports, malformed: counters.malformed &- before.malformed,
            dropped: counters.dropped &- before.dropped, evicted: counters.evicted &- before.evicted,
            unlogged: counters.unlogged &- before.unlogged)
    }
}
