import EncounterLog
import FixedMemory

/// Evaluates the hash chain of a log: which segments were overwritten, which pages are unreadable or were
/// removed, and which pages do not belong to it.
struct ChainFindings {
    private let records: [PageRecord]
    private let walk: ChainWalk
    private let segments: [UInt32]
    /// The newest manifest. Segments that an earlier one lists may have been overwritten before the next
    /// fetch.
    private let manifest: SignedHead?
    /// Segments before this one were deliberately removed.
    private let firstKept: UInt32
    /// By segment: the summary in the following segment's header, and the number of entries of its chained
    /// pages.
    private var summaries: [UInt32: SegmentSummary] = [:]
    private var entryCounts: [UInt32: Int] = [:]
    /// At each place: the latest time known before it, and the earliest time known from there on.
    private var earlier: [LogHole.Moment?] = []
    private var later: [LogHole.Moment?] = []
    private var list = FindingList()

    init(
        _ records: [PageRecord], _ walk: ChainWalk, segments: [UInt32], manifests: [SignedHead],
        firstKept: UInt32
    ) {
        self.records = records
        self.walk = walk
        self.segments = segments
        self.firstKept = firstKept
        manifest = manifests.last(where: \.isSigned)
        var known: LogHole.Moment?
        for (record, role) in zip(records, walk.roles) {
            let segment = record.position.segmentOrdinal
            if !record.isForeign, summaries[segment &- 1] == nil,
                let summary = record.segmentHeader?.predecessor
            {
                summaries[segment &- 1] = summary
            }
            if role == .chained { entryCounts[segment, default: 0] += Int(record.link?.entryCount ?? 0) }
            earlier.append(known)
            known = record.latest ?? known
        }
        known = nil
        for record in records.reversed() {
            known = record.earliest ?? known
            later.append(known)
        }
        later.reverse()
    }

    mutating func findings() -> [LogFinding] {
        addMissingSegments()
        for gap in walk.breaks { addBreak(gap) }
        addExcess()
        addUnreadable()
        addStrayPages()
        var findings = list.findings
        for index in findings.indices { addCost(&findings, index) }
        return findings
    }

    // MARK: Segments

    private mutating func addMissingSegments() {
        var next = firstKept
        for segment in segments {
            if segment > next { addMissing(next..<segment, before: segment) }
            next = max(next, segment &+ 1)
        }
    }

    /// Reports missing segments. The board may have skipped an ordinal; the chain then continues with the
    /// next segment.
    private mutating func addMissing(_ missing: Range<UInt32>, before next: UInt32) {
        let isFirst = next == segments.first
        guard isFirst || walk.breaks.contains(where: { spans($0, missing) }) else { return }
        // Segments that the board still had according to its manifest. Manifest and pages may contain any
        // ordinal.
        let kept = manifest.map { missing.clamped(to: $0.keptSegments).count } ?? 0
        let gone = missing.count - kept
        let start = LogPosition(segmentOrdinal: missing.lowerBound, byteOffset: 0)
        let impossible = impossible(missing, isKept: kept > 0)
        if gone > impossible {
            list.add(gap(LogFinding(.overwritten(count: gone - impossible), at: start), missing, next))
        }
        if impossible > 0 {
            let kind: LogFinding.Kind =
                records.contains(where: \.isLocked)
                ? .erasureUnproven(count: impossible) : .segmentsRemoved(count: impossible)
            list.add(gap(LogFinding(kind, at: start), missing, next))
        }
        if kept > 0 {
            list.add(gap(LogFinding(.segmentsMissing(count: kept), at: start), missing, next))
        }
    }

    /// The number of missing segments that the board cannot have overwritten: they are too young for the
    /// ring to have come round, and no entry reports that the board erased them for another reason.
    private func impossible(_ missing: Range<UInt32>, isKept: Bool) -> Int {
        guard !isKept, let ringCount, let newest else { return 0 }
        guard ErasureStatement(missing, records.lazy.flatMap(\.gaps)) == nil else { return 0 }
        let newestSegment = UInt64(max(newest, manifest?.head.position.segmentOrdinal ?? 0))
        // The board keeps a few slots free, and may skip some that it cannot write.
        let first = (newestSegment + Self.spareSlotCount + 1).subtractingReportingOverflow(UInt64(ringCount))
        // The board itself has signed that it no longer had the segments before this one.
        let youngest = max(first.overflow ? 0 : first.partialValue, UInt64(manifest?.oldestSegment ?? 0))
        let range = UInt64(missing.lowerBound)..<UInt64(missing.upperBound)
        return range.clamped(to: min(youngest, range.upperBound)..<range.upperBound).count
    }

    private static let spareSlotCount: UInt64 = 3

    /// The number of segments on the board's medium; nil if no segment header is readable.
    private var ringCount: Int? {
        records.lazy.compactMap { $0.isForeign ? nil : $0.segmentHeader?.geometry.segmentCount }.max()
    }

    private var newest: UInt32? { segments.last }

    private func spans(_ gap: ChainWalk.Break, _ missing: Range<UInt32>) -> Bool {
        guard let before = gap.before else { return false }
        return records[before].position.segmentOrdinal < missing.lowerBound
            && records[gap.after].position.segmentOrdinal >= missing.upperBound
    }

    /// Adds what the board reported when it erased the segments, or else what the next segment's header
    /// reports about its predecessor.
    private func gap(_ finding: LogFinding, _ missing: Range<UInt32>, _ next: UInt32) -> LogFinding {
        var finding = finding
        if case .overwritten = finding.kind,
            let statement = ErasureStatement(missing, records.lazy.flatMap(\.gaps))
        {
            finding.cause = statement.cause
            finding.isAcknowledged = statement.isAcknowledged
            if statement.isWithin, let count = statement.entryCount {
                let index = records.firstIndex { $0.position.segmentOrdinal == next }
                finding.lostEntryCount = count
                finding.isAtLeast = statement.isAtLeast || !statement.isWhole
                finding.before = statement.isWhole ? statement.first : index.flatMap { earlier[$0] }
                finding.after = statement.last
                return finding
            }
        }
        let summary = summaries[next &- 1]
        finding.lostEntryCount = summary.map { Int($0.entryCount) }
        finding.isAtLeast = missing.count > 1 || summary?.isAtLeast ?? false
        guard let index = records.firstIndex(where: { $0.position.segmentOrdinal == next }) else {
            return finding
        }
        let isAllKnown = missing.count == 1 && summary?.isAtLeast == false
        finding.before = isAllKnown ? summary.map { LogHole.Moment($0.first) } : earlier[index]
        finding.after = summary.map { LogHole.Moment($0.last) } ?? later[index]
        return finding
    }

    // MARK: Pages

    private mutating func addBreak(_ gap: ChainWalk.Break) {
        if isBegunAnew(gap) {
            return list.add(LogFinding(.chainBegunAnew, at: records[gap.after].position))
        }
        let start = gap.before.map { $0 + 1 } ?? 0
        let between = start..<gap.after
        let hasDamage = between.contains { records[$0].fault != nil && !records[$0].isBlank }
        let isAcrossSegments = gap.before.map { before in
            let from = records[before].position.segmentOrdinal
            let to = records[gap.after].position.segmentOrdinal
            guard to > from, segments.contains(from) else { return false }
            return segments.count { from < $0 && $0 < to } < Int(to - from) - 1
        }
        // Unreadable pages have findings of their own.
        if hasDamage || isAcrossSegments == true { return }
        let after = records[gap.after]
        var finding = LogFinding(.pagesMissing, at: after.position)
        if let before = gap.before, records[before].position.segmentOrdinal == after.position.segmentOrdinal,
            records[before].epoch == after.epoch, let first = records[before].link?.pageNumber,
            let last = after.link?.pageNumber, last > first
        {
            finding.pageCount = Int(last - first) - 1
        }
        setTimes(&finding, before: start, after: gap.after)
        list.add(finding)
    }

    /// True if a power cut tore the only page of a new segment. The board then finds no end of its log at its
    /// next boot and begins a new chain.
    private func isBegunAnew(_ gap: ChainWalk.Break) -> Bool {
        let after = records[gap.after]
        guard let before = gap.before, after.segmentHeader != nil,
            after.link.map({ ChainValue($0.chainValue) }) == .start, gap.after - before > 1
        else { return false }
        let segment = after.position.segmentOrdinal
        return records[before].position.segmentOrdinal &+ 1 == segment
            && records[before + 1..<gap.after].allSatisfy {
                $0.fault != nil && $0.position.segmentOrdinal == segment
            }
    }

    /// Reports segments with more entries than the next segment's header counted. That count is exact unless
    /// the board had to find its log again in between.
    private mutating func addExcess() {
        for segment in segments {
            guard let summary = summaries[segment], !summary.isAtLeast,
                entryCounts[segment] ?? 0 > Int(summary.entryCount)
            else { continue }
            list.add(LogFinding(.wrongCounts, at: LogPosition(segmentOrdinal: segment, byteOffset: 0)))
        }
    }

    private mutating func addUnreadable() {
        for index in records.indices {
            let record = records[index]
            guard let fault = record.fault, !record.isBlank else { continue }
            var kind = isWithinChain(index) ? LogFinding.Kind.tornPages : .damagedPages
            if case .unsupportedVersion = fault { kind = .laterVersion }
            if case .unsupportedFlags = fault { kind = .laterVersion }
            var finding = LogFinding(kind, at: record.position, pageCount: 1)
            setTimes(&finding, before: index, after: index)
            list.add(finding)
        }
    }

    /// True if the chain continues across this place without a break.
    private func isWithinChain(_ index: Int) -> Bool {
        guard walk.roles[..<index].contains(.chained), walk.roles[index...].contains(.chained) else {
            return false
        }
        return !walk.breaks.contains { ($0.before ?? -1) < index && index < $0.after && !isBegunAnew($0) }
    }

    private mutating func addStrayPages() {
        for index in records.indices {
            switch walk.roles[index] {
            case .aside: list.add(LogFinding(.pagesAside, at: records[index].position, pageCount: 1))
            case .outOfPlace: list.add(.outOfPlace, records[index])
            case .chained, .none: break
            }
        }
    }

    // MARK: Lost entries and times

    private func setTimes(_ finding: inout LogFinding, before: Int, after: Int) {
        finding.before = earlier[before]
        finding.after = later[after]
    }

    /// Adds the entries that the next segment's header counted in this segment and that are missing. Only the
    /// segment's first finding reports them.
    private func addCost(_ findings: inout [LogFinding], _ index: Int) {
        switch findings[index].kind {
        case .damagedPages, .pagesMissing: break
        default: return
        }
        guard let segment = findings[index].position?.segmentOrdinal,
            !findings[..<index].contains(where: {
                $0.lostEntryCount != nil && $0.position?.segmentOrdinal == segment
            }), let summary = summaries[segment]
        else { return }
        let there = entryCounts[segment] ?? 0
        let lost = Int(summary.entryCount) - there
        guard lost >= 0, lost > 0 || !summary.isAtLeast else { return }
        findings[index].lostEntryCount = lost
        findings[index].isAtLeast = summary.isAtLeast
    }
}

extension LogHole.Moment {
    init(_ moment: SegmentSummary.Moment) {
        self.init(boot: moment.bootIdentifier, instant: Instant(logged: moment.instant))
    }
}
