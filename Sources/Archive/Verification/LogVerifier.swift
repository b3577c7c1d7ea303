import Cryptography
import EncounterLog
import FixedMemory
import LogContents

/// Verifies a log as far as it was fetched: each page, the chain through the pages, the board's signatures,
/// and the missing parts. docs/verify.md explains each finding.
struct LogVerifier {
    private let board: LogIdentity
    private let boardKeys: [P256PublicKey]
    private let otherKeys: [P256PublicKey]
    /// The manifests, with the results of their signature checks.
    var manifests: [SignedHead]
    /// Whether only a manifest can prove where the log ends.
    var needsManifest = false
    /// Whether a missing signature over the end of the log is left out of the findings.
    var acceptsUnsignedEnd = false
    /// Rows beside the log that this computer did not make.
    var unproven = UnprovenRows()
    /// Other versions of some segments.
    var forks: [LogFork] = []
    private let forgotten: ForgottenPart?
    private(set) var records: [PageRecord] = []
    private var segments: [UInt32] = []
    /// Where the stored log ends within a page.
    private var cutShort: LogPosition?
    private var report: LogVerification

    /// - Parameters:
    ///   - boardKeys: the board's public keys, in the order in which it used them; empty if unknown.
    ///   - otherKeys: unvouched keys that the board has presented.
    ///   - manifests: the manifests, with the results of their signature checks.
    ///   - forgotten: the part that the operator has removed.
    init(
        board: LogIdentity, boardKeys: [P256PublicKey], otherKeys: [P256PublicKey] = [],
        manifests: [SignedHead] = [], forgotten: ForgottenPart? = nil
    ) {
        self.board = board
        self.boardKeys = boardKeys
        self.otherKeys = otherKeys
        self.manifests = manifests
        self.forgotten = forgotten
        report = LogVerification(board: board)
    }

    /// Adds the next segment, in the order of ordinals.
    ///
    /// - Parameter isLast: the rest of a page that is cut short may arrive with the next fetch.
    mutating func add(_ contents: SegmentContents, isLast: Bool) {
        segments.append(contents.ordinal)
        report.byteCount += contents.byteCount
        for page in contents.pages {
            let record = PageRecord(page, segment: contents.ordinal, board: board)
            if isLast, contents.isCutShort(page) {
                if !record.isBlank { cutShort = record.position }
            } else {
                records.append(record)
            }
        }
    }

    /// Whether a page of the log ends at this position with this chain value.
    func contains(_ head: LogHead) -> Bool {
        head.position == .start || records.contains { $0.head == head }
    }

    /// The standing of each page, in log order.
    func standings() -> (places: [LogPosition], standings: PageStandings) {
        var signatures = SignatureCheck(records, board: board, boardKeys: boardKeys)
        signatures.add(manifests)
        let walk = ChainWalk(records, signed: signatures.values)
        return (records.map(\.position), PageStandings(records, walk, signatures))
    }

    /// The ends of all pages, with the chain's values there.
    func headsByPosition() -> [Place: LogHead] {
        Dictionary(
            records.compactMap { record in record.head.map { (Place($0.position), $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// True if the chain continues through all pages.
    var isUnbroken: Bool { ChainWalk(records).breaks.isEmpty }

    consuming func verification() -> LogVerification {
        report.segmentCount = segments.count
        let pages = records.filter { $0.fault == nil }
        report.pageCount = pages.count
        report.lockedPageCount = pages.count(where: \.isLocked)
        report.openedPageCount = pages.count(where: \.isGenuine)
        report.redactedPageCount = pages.count { $0.redaction != nil }
        report.manifestCount = manifests.count(where: \.isSigned)

        var signatures = SignatureCheck(records, board: board, boardKeys: boardKeys)
        signatures.add(manifests)
        let walk = ChainWalk(records, signed: signatures.values)
        report.chainedPageCount = walk.roles.count { $0 == .chained }
        for (record, role) in zip(records, walk.roles) where role == .chained || role == .none {
            report.entryCount += Int(record.link?.entryCount ?? 0)
        }
        report.signatureCount = signatures.validCount
        var chain = ChainFindings(
            records, walk, segments: segments, manifests: manifests,
            firstKept: forgotten?.beforeOrdinal ?? 0)
        let signed = signatures.findings(walk)
        let standings = PageStandings(records, walk, signatures)
        report.signedThrough = signed.signedThrough
        report.findings = general(signed.signedThrough, uncovered: uncovered(walk, standings))
        if let forgotten {
            report.findings.append(
                LogFinding(
                    forgotten.isProven ? .forgotten(forgotten.time) : .forgottenUnproven(forgotten.time),
                    at: LogPosition(segmentOrdinal: forgotten.beforeOrdinal, byteOffset: 0)))
        }
        report.findings += forks.map { fork in
            LogFinding(
                .fork(segmentCount: fork.segmentCount, isSigned: fork.isSigned),
                at: LogPosition(segmentOrdinal: fork.firstOrdinal, byteOffset: 0))
        }
        report.findings += otherKeys.map { LogFinding(.keyNotVouched($0.fingerprint)) }
        var clear = FindingList()
        for index in standings.clearBehindSeal { clear.add(.clearBehindSeal, records[index]) }
        report.findings +=
            (chain.findings() + pageFindings() + clear.findings + signed.findings + allMissing).inOrder()
        return report
    }

    /// The signed end of a log of which no page is stored.
    private var allMissing: [LogFinding] {
        let first = LogPosition(segmentOrdinal: forgotten?.beforeOrdinal ?? 0, byteOffset: 0)
        guard records.isEmpty, cutShort == nil,
            let end = manifests.last(where: \.isSigned)?.head.position, end > first
        else { return [] }
        return [LogFinding(.endMissing(end), at: first)]
    }

    // MARK: The whole log

    /// The pages in clear that belong to the chain, and that no signature covers.
    private func uncovered(_ walk: ChainWalk, _ standings: PageStandings) -> Set<Place> {
        let indices = records.indices.filter { index in
            walk.roles[index] == .chained && !records[index].isSealed && records[index].isRestProven
                && standings.standings[index] == .unsigned
        }
        return Set(indices.map { Place(records[$0].position) })
    }

    private func general(_ signedThrough: LogPosition?, uncovered: Set<Place>) -> [LogFinding] {
        var findings: [LogFinding] = []
        func add(_ kind: LogFinding.Kind, _ isIncluded: (PageRecord) -> Bool) {
            guard let first = records.first(where: isIncluded) else { return }
            findings.append(
                LogFinding(kind, at: first.position, pageCount: records.count(where: isIncluded)))
        }
        let hasSignatures = records.contains { $0.segmentHeader?.seal != nil }
        if hasSignatures, boardKeys.isEmpty { findings.append(LogFinding(.boardKeyUnknown)) }
        add(.notChained) { $0.fault == nil && !$0.isForeign && $0.link == nil }
        add(.unsigned) { record in
            guard record.isLinked, !record.isSealed else { return false }
            return signedThrough.map { record.position >= $0 } ?? true
                || uncovered.contains(Place(record.position))
        }
        if hasSignatures, !boardKeys.isEmpty {
            add(acceptsUnsignedEnd ? .acceptedEnd : .unsignedEnd) { record in
                guard record.isLinked, record.isSealed else { return false }
                return signedThrough.map { record.position >= $0 } ?? true
            }
            // A fetch ends at the signed end of the log, so only the part before it may be incomplete.
            if let cutShort, let signedThrough, cutShort >= signedThrough {
                findings.append(LogFinding(.unsignedEnd, at: cutShort, pageCount: 1))
            }
        }
        if hasSignatures, needsManifest, !manifests.contains(where: \.isSigned) {
            findings.append(LogFinding(.endUnproven))
        }
        add(.locked) { $0.isLocked }
        if let signedThrough {
            add(.inClear) {
                $0.isLinked && !$0.isSealed && $0.redaction == nil && $0.position < signedThrough
                    && !uncovered.contains(Place($0.position))
            }
        }
        let proven = records.filter(\.isRestProven).compactMap(\.redaction)
        for redaction in Set(proven).sorted(by: { $0.isBefore($1) }) {
            add(.redacted(redaction)) { $0.redaction == redaction && $0.isRestProven }
        }
        add(.redactionUnproven) { !$0.isRestProven }
        if !unproven.foreignObjects.isEmpty {
            findings.append(LogFinding(.foreignObjects(unproven.foreignObjects)))
        }
        if !unproven.forgedTables.isEmpty {
            findings.append(LogFinding(.tablesForged(unproven.forgedTables)))
        }
        if unproven.clockReadingCount > 0 {
            findings.append(LogFinding(.clockReadingsUnproven(count: unproven.clockReadingCount)))
        }
        if unproven.ownKeyCount > 0 {
            findings.append(LogFinding(.ownKeysUnproven(count: unproven.ownKeyCount)))
        }
        return findings
    }

    // MARK: Single pages

    private func pageFindings() -> [LogFinding] {
        var findings = FindingList()
        var last: (key: EpochKey, number: UInt16)?
        for record in records where record.fault == nil {
            if record.isForeign {
                findings.add(.foreign, record)
                continue
            }
            switch record.damage {
            case nil: break
            case .forgedPage: findings.add(.forgedPages, record)
            case .some(let error):
                findings.add(.unreadableEntries(error), record, lostEntryCount: lost(error, record))
            }
            guard let link = record.link else { continue }
            if let count = record.entryCount, count != Int(link.entryCount) {
                findings.add(.wrongCounts, record)
            }
            let key = EpochKey(record)
            if let last, last.key == key, link.pageNumber <= last.number {
                findings.add(.wrongCounts, record)
            }
            last = (key, link.pageNumber)
        }
        return findings.findings
    }

    private func lost(_ error: LogError, _ record: PageRecord) -> Int? {
        if case .malformedEntry = error { return 1 }
        return record.link.map { Int($0.entryCount) }
    }
}

extension Redaction {
    fileprivate func isBefore(_ other: Self) -> Bool {
        (time, schemes?.joined() ?? "")
            < (other.time, other.schemes?.joined() ?? "")
    }
}

/// Identifies an epoch by the values that all its pages share.
private struct EpochKey: Equatable {
    let segment: UInt32
    let epoch: UInt8
    let boot: UInt64?

    init(_ record: PageRecord) {
        segment = record.position.segmentOrdinal
        epoch = record.epoch
        boot = record.bootIdentifier
    }
}

/// Collects findings and merges adjacent ones of one kind.
struct FindingList {
    private(set) var findings: [LogFinding] = []

    mutating func add(_ kind: LogFinding.Kind, _ record: PageRecord, lostEntryCount: Int? = nil) {
        var finding = LogFinding(kind, at: record.position, pageCount: 1)
        finding.lostEntryCount = lostEntryCount
        finding.before = record.earliest
        finding.after = record.latest
        add(finding)
    }

    mutating func add(_ finding: LogFinding) {
        guard let last = findings.last, last.kind == finding.kind, let count = last.pageCount,
            let added = finding.pageCount,
            last.position?.segmentOrdinal == finding.position?.segmentOrdinal
        else { return findings.append(finding) }
        let lost = [last.lostEntryCount, finding.lostEntryCount].compactMap(\.self)
        findings[findings.count - 1].pageCount = count + added
        findings[findings.count - 1].lostEntryCount = lost.isEmpty ? nil : lost.reduce(0, +)
        findings[findings.count - 1].after = finding.after ?? last.after
    }
}

extension [LogFinding] {
    fileprivate func inOrder() -> [LogFinding] {
        enumerated().sorted {
            ($0.element.position ?? .start, $0.offset) < ($1.element.position ?? .start, $1.offset)
        }.map(\.element)
    }
}
