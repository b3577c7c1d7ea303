import Agent
import EncounterLog
import HCI
import Peers
import Radio

/// The intervals in which a capture's host was scanning with any of its adapters.
struct CapturedCoverage: BitwiseCopyable {
    /// Shorter pauses are the agent's own, for connection attempts.
    private static let longestPauseMilliseconds: UInt64 = 3_000
    /// Within this time an agent without events has probed the controller and waited for the answer. During a
    /// longer silence it is unknown whether the radio worked, or the host was awake.
    private static let longestSilenceMilliseconds =
        RadioController.probeIntervalMilliseconds + CommandSlot.timeoutMilliseconds

    private var startMilliseconds: UInt64?
    private var lastScanMilliseconds: UInt64 = 0
    private var lastPacketMilliseconds: UInt64 = 0
    private var before = RecorderCounters()

    init() {}

    /// Records the time of a packet before it is processed. Returns an interval that has ended in silence.
    mutating func recordSilence(
        _ counters: RecorderCounters, nowMilliseconds now: UInt64
    ) -> CoverageEntry? {
        defer { lastPacketMilliseconds = now }
        return now > lastPacketMilliseconds + Self.longestSilenceMilliseconds ? end(counters) : nil
    }

    /// Records whether an adapter scans now. Returns an interval that has ended.
    mutating func advance(
        isScanning: Bool, _ counters: RecorderCounters, nowMilliseconds now: UInt64
    ) -> CoverageEntry? {
        if startMilliseconds == nil, isScanning { startMilliseconds = now }
        if isScanning { lastScanMilliseconds = now }
        guard startMilliseconds != nil, now > lastScanMilliseconds + Self.longestPauseMilliseconds else {
            return nil
        }
        return end(counters)
    }

    /// Returns the interval that the capture's end cuts off.
    mutating func end(_ counters: RecorderCounters) -> CoverageEntry? {
        guard let start = startMilliseconds else { return nil }
        startMilliseconds = nil
        defer { before = counters }
        return CoverageEntry(
            startMilliseconds: start, endMilliseconds: lastScanMilliseconds,
            reports: counters.reports &- before.reports, malformed: counters.malformed &- before.malformed,
            dropped: counters.dropped &- before.dropped, evicted: counters.evicted &- before.evicted)
    }
}
