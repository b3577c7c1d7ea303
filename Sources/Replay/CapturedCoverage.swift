import Agent
import EncounterLog
import HCI
import Peers
import Radio

/// When a capture's host was scanning, with any of its adapters.
struct CapturedCoverage: BitwiseCopyable {
    /// Shorter pauses are the agent's own, in which it connects.
    private static let longestPauseMilliseconds: UInt64 = 3_000
    /// By then an agent to which nothing comes has asked the controller, and waited for the answer. Of a longer silence
    /// nobody knows whether the radio was well, or the host awake.
    private static let longestSilenceMilliseconds =
        RadioController.probeIntervalMilliseconds + CommandSlot.timeoutMilliseconds

    private var startMilliseconds: UInt64?
    private var lastScanMilliseconds: UInt64 = 0
    private var lastPacketMilliseconds: UInt64 = 0
    private var before = RecorderCounters()

    init() {}

    /// Before a packet is taken in. Returns an interval that has ended in silence.
    mutating func noteSilence(
        _ counters: RecorderCounters, nowMilliseconds now: UInt64
    ) -> CoverageEntry? {
        defer { lastPacketMilliseconds = now }
        return now > lastPacketMilliseconds + Self.longestSilenceMilliseconds ? end(counters) : nil
    }

    /// Returns an interval that has ended.
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

    /// The capture ends.
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
