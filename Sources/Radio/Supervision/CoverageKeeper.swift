import EncounterLog
import Peers

/// Keeps the record of when the agent was able to see: intervals in which the scan was confirmed to work,
/// by reports or, in a quiet room, by the controller's answers. An interval is written when scanning stops
/// or is suspected. While it continues, it is written in pieces together with other entries, so that a
/// power cut loses no more of it than of them. In a quiet room pieces are rare, because each one costs a
/// page.
///
/// Intervals never overlap, and each report is counted in exactly one.
package struct CoverageKeeper: BitwiseCopyable {
    private static let shortestPieceMilliseconds: UInt64 = 2_000
    private static let quietPieceMilliseconds: UInt64 = 600_000
    /// Shorter pauses are part of the normal round of scanning, advertising and connecting.
    private static let longestPauseMilliseconds: UInt64 = 3_000

    private var startMilliseconds: UInt64?
    /// How far the interval that has begun is confirmed; without one, where the last one ended.
    private var endMilliseconds: UInt64
    /// Since when the scan has been on, and when it was last on.
    private var scanStartMilliseconds: UInt64?
    private var lastScanMilliseconds: UInt64 = 0
    /// What was confirmed before this counts no more.
    private var distrustedUntilMilliseconds: UInt64 = 0
    /// What earlier intervals have told already: together they tell of every report.
    private var before = RecorderCounters()

    package init(nowMilliseconds now: UInt64) { endMilliseconds = now }

    /// What the controller was told about scanning.
    package struct Scan: BitwiseCopyable {
        /// It scans, and has not been told to stop. A controller may say late that it does, or never.
        var isOn: Bool
        /// When it was last told to start, and to stop.
        var startMilliseconds: UInt64
        var lastStopMilliseconds: UInt64
        /// When it was told to stop, while it has not answered.
        var stopMilliseconds: UInt64?

        package init(_ scanner: Scanner, lastGoodMilliseconds: UInt64?) {
            let isHeard =
                scanner.isStartAsked && lastGoodMilliseconds ?? 0 > scanner.startAskedMilliseconds
            isOn = scanner.isSurelyScanning || isHeard
            startMilliseconds = scanner.startAskedMilliseconds
            lastStopMilliseconds = scanner.lastStopMilliseconds
            stopMilliseconds = scanner.stopAskedMilliseconds
        }
    }

    /// `confirmed`: the last moment at which the scan is known to have worked. `firstGood`: when the first
    /// good report came after the scan was last mended; it may be known only later to have been one.
    /// `isWanted`: the open page is about to be committed or read, so all known coverage is written.
    package mutating func advance(
        _ scan: Scan, confirmedMilliseconds confirmed: UInt64, firstGoodMilliseconds firstGood: UInt64?,
        counters: RecorderCounters, isWanted: Bool, nowMilliseconds now: UInt64
    ) -> CoverageEntry? {
        // A pause begins with the command to stop, and ends with the command to start, however late the
        // controller answers.
        if lastScanMilliseconds > 0 {
            lastScanMilliseconds = max(lastScanMilliseconds, scan.lastStopMilliseconds)
        }
        let pauseEnd = scan.startMilliseconds > lastScanMilliseconds ? scan.startMilliseconds : now
        if pauseEnd > lastScanMilliseconds + Self.longestPauseMilliseconds { scanStartMilliseconds = nil }
        guard scan.isOn else {
            // What comes before the answer was sent before it stopped.
            if let stop = scan.stopMilliseconds, startMilliseconds != nil {
                endMilliseconds = max(endMilliseconds, min(confirmed, stop))
            }
            if scanStartMilliseconds == nil, startMilliseconds != nil { return end(counters: counters) }
            return piece(counters, isWanted: isWanted, nowMilliseconds: now)
        }
        lastScanMilliseconds = now
        let scanStart =
            scanStartMilliseconds ?? max(scan.startMilliseconds, distrustedUntilMilliseconds)
        if scanStartMilliseconds == nil {
            scanStartMilliseconds = scanStart
            if startMilliseconds != nil { return end(counters: counters) }
        }
        if startMilliseconds == nil, confirmed >= scanStart {
            let start = firstGood.map { $0 >= scanStart ? min($0, confirmed) : confirmed } ?? confirmed
            startMilliseconds = max(start, endMilliseconds)
        }
        if startMilliseconds != nil { endMilliseconds = max(confirmed, endMilliseconds) }
        return piece(counters, isWanted: isWanted, nowMilliseconds: now)
    }

    /// The scan is not to be trusted from here on, until it is confirmed anew; or the agent is about to
    /// stop.
    package mutating func end(counters: RecorderCounters, nowMilliseconds now: UInt64) -> CoverageEntry? {
        distrustedUntilMilliseconds = now
        return end(counters: counters)
    }

    private mutating func end(counters: RecorderCounters) -> CoverageEntry? {
        defer {
            startMilliseconds = nil
            scanStartMilliseconds = nil
            lastScanMilliseconds = 0
        }
        return write(counters)
    }

    private mutating func piece(
        _ counters: RecorderCounters, isWanted: Bool, nowMilliseconds now: UInt64
    ) -> CoverageEntry? {
        guard let start = startMilliseconds else { return isWanted ? write(counters) : nil }
        let piece = isWanted ? Self.shortestPieceMilliseconds : Self.quietPieceMilliseconds
        guard endMilliseconds >= start + piece else { return nil }
        let entry = write(counters)
        startMilliseconds = endMilliseconds
        return entry
    }

    /// The coverage since the last entry. Reports that came while the scan was not trusted make an interval
    /// without length.
    private mutating func write(_ counters: RecorderCounters) -> CoverageEntry? {
        let start = startMilliseconds ?? endMilliseconds
        guard endMilliseconds > start || counters != before else { return nil }
        defer { before = counters }
        return CoverageEntry(
            startMilliseconds: start, endMilliseconds: endMilliseconds,
            reports: counters.reports &- before.reports, malformed: counters.malformed &- before.malformed,
            dropped: counters.dropped &- before.dropped, evicted: counters.evicted &- before.evicted)
    }
}
