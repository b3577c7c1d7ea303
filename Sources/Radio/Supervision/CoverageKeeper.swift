import EncounterLog
import FixedMemory
import Peers

/// Keeps the record of when the agent could receive: intervals in which the scan was confirmed to work, by
/// reports or, in a quiet room, by the controller's answers. An interval is written when scanning stops or is
/// suspected. While it continues, it is written in pieces together with other entries, so that a power cut
/// loses no more of it than of them. In a quiet room pieces are rare, because each one costs a page.
///
/// Intervals never overlap, and each report is counted in exactly one.
package struct CoverageKeeper: BitwiseCopyable {
    private static let shortestPiece = Interval.seconds(2)
    private static let quietPiece = Interval.minutes(10)
    /// Shorter pauses are part of the normal round of scanning, advertising and connecting.
    private static let longestPause = Interval.seconds(3)

    private var coveredFrom: Instant?
    /// The confirmed end of the current interval; without one, the end of the last interval.
    private var coveredTo: Instant
    /// When the controller listened in the current interval.
    private var timing = ScanDuty.continuous.near
    /// When the scan began, nil while it is off; and when it was last on.
    private var scanBegan: Instant?
    private var lastScan = Instant.start
    /// Confirmations before this time do not count for the next interval.
    private var distrustedUntil = Instant.start
    /// When reports that no interval has are counted at the latest.
    private var countDue = Instant.start
    /// The counters at the last entry. Each entry has the difference, so that each report is in exactly one.
    private var before = RecorderCounters()

    package init(now: Instant) { coveredTo = now }

    /// The commands for scanning, and their times.
    package struct Scan: BitwiseCopyable {
        /// Whether the controller scans and no command to stop was sent. A good report proves it if the
        /// controller answers late or never.
        var isOn: Bool
        /// When the last commands to start and to stop were sent.
        var start: Instant
        var lastStop: Instant
        /// When an unanswered command to stop was sent; nil if there is none.
        var stop: Instant?
        var timing: ScanTiming

        package init(_ scanner: Scanner, lastGood: Instant?) {
            let isHeard =
                scanner.isStartAsked && lastGood ?? .start > scanner.startAsked
            isOn = scanner.isSurelyScanning || isHeard
            start = scanner.startAsked
            lastStop = scanner.lastStop
            stop = scanner.stopAsked
            timing = scanner.timing
        }
    }

    /// `confirmed`: the last moment at which the scan is known to have worked. `firstGood`: when the first
    /// good report came after the last renewal; it may be recognised as one only later. `isWanted`: the open
    /// page is about to be committed or read, so all known coverage is written.
    package mutating func advance(
        _ scan: Scan, confirmed: Instant, firstGood: Instant?,
        counters: RecorderCounters, isWanted: Bool, now: Instant
    ) -> CoverageEntry? {
        // A pause begins with the command to stop, and ends with the command to start, however late the
        // controller answers. A scan that is stopped at its very start hears nobody, and ends no pause.
        if lastScan > .start, scan.lastStop > scan.start {
            lastScan = max(lastScan, scan.lastStop)
        }
        let pauseEnd = scan.start > max(lastScan, scan.lastStop) ? scan.start : now
        if pauseEnd > lastScan + Self.longestPause { scanBegan = nil }
        guard scan.isOn else {
            // Reports before the answer to the command to stop still belong to the scan.
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
        if coveredFrom != nil, scan.timing != timing {
            if let entry = change(to: scan, confirmed: confirmed, counters: counters) { return entry }
        } else if coveredFrom == nil {
            timing = scan.timing
        }
        if coveredFrom == nil, confirmed >= scanStart {
            let start = firstGood.map { $0 >= scanStart ? min($0, confirmed) : confirmed } ?? confirmed
            coveredFrom = max(start, coveredTo)
        }
        if coveredFrom != nil { coveredTo = max(confirmed, coveredTo) }
        return piece(counters, isWanted: isWanted, now: now)
    }

    /// Handles a change of the scan's timing within an interval: the time confirmed before it keeps
    /// its timing. Time that is confirmed only after the change gets the sparser of the two timings, because
    /// that promises less.
    private mutating func change(
        to scan: Scan, confirmed: Instant, counters: RecorderCounters
    ) -> CoverageEntry? {
        if timing.isSparser(than: scan.timing) {
            guard confirmed >= scan.start else { return nil }
            coveredTo = max(coveredTo, scan.start)
        }
        // Two entries may not begin at the same time.
        let entry = coveredTo > coveredFrom ?? coveredTo ? write(counters) : nil
        coveredFrom = coveredTo
        timing = scan.timing
        return entry
    }

    /// Ends the interval: the scan is not trusted until it is confirmed again, or the agent is about to stop.
    package mutating func end(counters: RecorderCounters, now: Instant) -> CoverageEntry? {
        distrustedUntil = now
        return end(counters: counters)
    }

    /// The same for a pause that lasts for many steps. Reports in it count with the next entry, or every ten
    /// minutes: an entry for each of them would fill the log.
    package mutating func interrupt(counters: RecorderCounters, now: Instant) -> CoverageEntry? {
        guard coveredFrom == nil else { return end(counters: counters, now: now) }
        distrustedUntil = now
        forgetScan()
        return nil
    }

    private mutating func end(counters: RecorderCounters) -> CoverageEntry? {
        defer { forgetScan() }
        return write(counters)
    }

    private mutating func forgetScan() {
        coveredFrom = nil
        scanBegan = nil
        lastScan = .start
    }

    private mutating func piece(
        _ counters: RecorderCounters, isWanted: Bool, now: Instant
    ) -> CoverageEntry? {
        guard let start = coveredFrom else {
            guard isWanted || now >= countDue else { return nil }
            countDue = now + Self.quietPiece
            return write(counters)
        }
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
            dropped: counters.dropped &- before.dropped, evicted: counters.evicted &- before.evicted,
            unlogged: counters.unlogged &- before.unlogged, timing: timing)
    }
}
