import EncounterLog
import Peers

/// Keeps the record of when the agent was able to see. An interval is written when scanning stops, and in pieces while
/// it goes on: whenever something is written anyway, so that a power cut takes no more of it than of the rest; and
/// rarely in a quiet room, where each piece costs a page.
struct CoverageKeeper: BitwiseCopyable {
    private static let shortestPieceMilliseconds: UInt64 = 2_000
    private static let quietPieceMilliseconds: UInt64 = 600_000

    private var startMilliseconds: UInt64?
    /// Scanning pauses for a moment while connections are made; this is when it was last on.
    private var lastScanMilliseconds: UInt64 = 0
    /// What earlier intervals have told already: together they tell of every report.
    private var before = RecorderCounters()

    /// Shorter pauses are part of the normal round of scanning, advertising and connecting.
    private static let longestPauseMilliseconds: UInt64 = 3_000

    mutating func advance(
        isScanning: Bool, counters: RecorderCounters, isWanted: Bool, nowMilliseconds now: UInt64
    ) -> CoverageEntry? {
        guard let start = startMilliseconds else {
            if isScanning {
                startMilliseconds = now
                lastScanMilliseconds = now
            }
            return nil
        }
        if isScanning { lastScanMilliseconds = now }
        if now > lastScanMilliseconds + Self.longestPauseMilliseconds {
            return end(counters: counters, nowMilliseconds: now)
        }
        let piece = isWanted ? Self.shortestPieceMilliseconds : Self.quietPieceMilliseconds
        guard now >= start + piece else { return nil }
        let entry = entry(from: start, counters: counters)
        startMilliseconds = lastScanMilliseconds
        before = counters
        return entry
    }

    /// Scanning has ended, or the agent is about to.
    mutating func end(counters: RecorderCounters, nowMilliseconds now: UInt64) -> CoverageEntry? {
        guard let start = startMilliseconds else { return nil }
        startMilliseconds = nil
        let entry = entry(from: start, counters: counters)
        before = counters
        return entry
    }

    private func entry(from start: UInt64, counters: RecorderCounters) -> CoverageEntry {
        CoverageEntry(
            startMilliseconds: start, endMilliseconds: lastScanMilliseconds,
            reports: counters.reports &- before.reports, malformed: counters.malformed &- before.malformed,
            dropped: counters.dropped &- before.dropped, evicted: counters.evicted &- before.evicted)
    }
}
