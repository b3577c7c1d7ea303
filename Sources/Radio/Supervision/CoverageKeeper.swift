import EncounterLog
import FixedMemory
import Peers

/// Keeps the record of when the agent was able to see: intervals in which the scan was confirmed to work,
/// by reports or, in a quiet room, by the controller's answers. An interval is written when scanning stops
/// or is suspected. While it continues, it is written in pieces together with other entries, so that a
/// power cut loses no more of it than of them. In a quiet room pieces are rare, because each one costs a
/// page.
///
/// Intervals never overlap, and each report is counted in exactly one.
package struct CoverageKeeper: BitwiseCopyable {
    private static let shortestPiece = Interval.seconds(2)
    private static let quietPiece = Interval.minutes(10)
    /// Shorter pauses are part of the normal round of scanning, advertising and connecting.
    private static let longestPause = Interval.seconds(3)

    private var coveredFrom: Instant?
    /// How far the interval that has begun is confirmed; without one, where the last one ended.
    private var coveredTo: Instant
    /// Since when the scan has been on, and when it was last on.
    private var scanBegan: Instant?
    private var lastScan = Instant.start
    /// What was confirmed before this counts no more.
    private var distrustedUntil = Instant.start
    /// What earlier intervals have told already: together they tell of every report.
    private var before = RecorderCounters()

    package init(now: Instant) { coveredTo = now }

    /// What the controller was told about scanning.
    package struct Scan: BitwiseCopyable {
        /// It scans, and has not been told to stop. A controller may say late that it does, or never.
        var isOn: Bool
        /// When it was last told to start, and to stop.
        var start: Instant
        var lastStop: Instant
        /// When it was told to stop, while it has not answered.
        var stop: Instant?

        package init(_ scanner: Scanner, lastGood: Instant?) {
            let isHeard =
                scanner.isStartAsked && lastGood ?? .start > scanner.startAsked
            isOn = scanner.isSurelyScanning || isHeard
            start = scanner.startAsked
            lastStop = scanner.lastStop
            stop = scanner.stopAsked
        }
    }

    /// `confirmed`: the last moment at which the scan is known to have worked. `firstGood`: when the first
    /// good report came after the scan was last mended; it may be known only later to have been one.
    /// `isWanted`: the open page is about to be committed or read, so all known coverage is written.
    package mutating func advance(
        _ scan: Scan, confirmed: Instant, firstGood: Instant?,
        counters: RecorderCounters, isWanted: Bool, now: Instant
    ) -> CoverageEntry? {
        // A pause begins with the command to stop, and ends with the command to start, however late the
        // controller answers.
        if lastScan > .start {
            lastScan = max(lastScan, scan.lastStop)
        }
        let pauseEnd = scan.start > lastScan ? scan.start : now
        if pauseEnd > lastScan + Self.longestPause { scanBegan = nil }
        guard scan.isOn else {
            // What comes before the answer was sent before it stopped.
            if let stop = scan.stop, coveredFrom != nil {
                coveredTo = max(coveredTo, min(confirmed, stop))
            }
            if scanBegan == nil, coveredFrom != nil { return end(counters: counters) }
            return piece(counters, isWanted: isWanted, now: now)
        }
        lastScan = now
        let scanStart =
            scanBegan ?? max(scan.start, distrustedUntil)
        if scanBegan == nil {
            scanBegan = scanStart
            if coveredFrom != nil { return end(counters: counters) }
        }
        if coveredFrom == nil, confirmed >= scanStart {
            let start = firstGood.map { $0 >= scanStart ? min($0, confirmed) : confirmed } ?? confirmed
            coveredFrom = max(start, coveredTo)
        }
        if coveredFrom != nil { coveredTo = max(confirmed, coveredTo) }
        return piece(counters, isWanted: isWanted, now: now)
    }

    /// The scan is not to be trusted from here on, until it is confirmed anew; or the agent is about to
    /// stop.
    package mutating func end(counters: RecorderCounters, now: Instant) -> CoverageEntry? {
        distrustedUntil = now
        return end(counters: counters)
    }

    private mutating func end(counters: RecorderCounters) -> CoverageEntry? {
        defer {
            coveredFrom = nil
            scanBegan = nil
            lastScan = .start
        }
        return write(counters)
    }

    private mutating func piece(
        _ counters: RecorderCounters, isWanted: Bool, now: Instant
    ) -> CoverageEntry? {
        guard let start = coveredFrom else { return isWanted ? write(counters) : nil }
        let piece = isWanted ? Self.shortestPiece : Self.quietPiece
        guard coveredTo >= start + piece else { return nil }
        let entry = write(counters)
        coveredFrom = coveredTo
        return entry
    }

    /// The coverage since the last entry. Reports that came while the scan was not trusted make an interval
    /// without length.
    private mutating func write(_ counters: RecorderCounters) -> CoverageEntry? {
        let start = coveredFrom ?? coveredTo
        guard coveredTo > start || counters != before else { return nil }
        defer { before = counters }
        return CoverageEntry(
            start: start, end: coveredTo,
            reports: counters.reports &- before.reports, malformed: counters.malformed &- before.malformed,
            dropped: counters.dropped &- before.dropped, evicted: counters.evicted &- before.evicted)
    }
}
