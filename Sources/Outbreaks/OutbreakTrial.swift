import Cryptography
import Exposure
import FixedMemory
import Schemes
import Simulator

/// A complete simulated outbreak. Wearers meet for weeks, one falls ill and reports, and those who were near
/// find it by each scheme. After the retention time nobody finds anything. That holds in an unchanged
/// archive, in an archive that has forgotten expired contacts, and on boards that have lain in a drawer
/// since then.
public struct OutbreakTrial {
    public struct Verdict: Equatable, Sendable {
        public let scheme: SchemeID
        /// The data that the patient was shown, and agreed to submit.
        public var submitted: [String] = []
        /// The meetings with the patient that had to be found.
        public var meetingCount = 0
        /// The meetings with the patient that were not found.
        public var missedCount = 0
        /// The readings that matched.
        public var findingCount = 0
        /// The readings that matched outside of such a meeting.
        public var falseCount = 0
        /// The wearers who did not meet the patient.
        public var bystanderCount = 0
        /// The bystanders whose records matched nevertheless.
        public var alarmedBystanderCount = 0
        /// The readings that matched after the scheme's retention time, in archives that had forgotten
        /// nothing.
        public var expiredFindingCount = 0
        /// The readings that matched in archives that had forgotten expired contacts, at the time of the
        /// report.
        public var forgottenFindingCount = 0
        /// The readings that matched on the boards a month later, at the time of the report.
        public var erasedFindingCount = 0

        public var lateFindingCount: Int { expiredFindingCount + forgottenFindingCount + erasedFindingCount }

        public var holds: Bool {
            meetingCount > 0 && missedCount == 0 && falseCount == 0 && alarmedBystanderCount == 0
                && bystanderCount > 0 && lateFindingCount == 0
        }
    }

    public private(set) var verdicts: [Verdict] = []
    /// The host errors that controllers recorded, and boards that no longer record anything.
    public private(set) var violations: [String] = []
    public private(set) var encounterCount = 0

    /// A day more than boards keep contacts (log.retention_days: 28).
    private static let drawerDays: UInt64 = 29
    private static let reportHour: UInt64 = 7

    /// - Parameter progress: Called after each simulated day, with its number and the total.
    public init(
        _ schemes: [SchemeID], options: Outbreak.Options = Outbreak.Options(),
        progress: (UInt64, UInt64) -> Void = { _, _ in }
    ) throws {
        var options = options
        let secrets = try OutbreakSecrets(wearerCount: options.wearerCount, seed: options.seed)
        options.schemeSettings += schemes.flatMap(\.settings)
        options.secrets = { secrets.settings(of: $0) }
        options.covidTracerRoots = { secrets.roots[$0] }
        let outbreak = Outbreak(options)
        defer { outbreak.end() }
        let total = options.days + Self.drawerDays + 2

        outbreak.run(untilDay: options.days) { progress($0, total) }
        outbreak.world.run(for: .hours(Self.reportHour))
        let report = Self.report(of: outbreak)
        let ends = schemes.compactMap { Self.end(of: $0, outbreak, secrets) }
        var records = try Self.records(outbreak, options.wearerCount)
        encounterCount = records.map(\.encounters.count).reduce(0, +)
        var submitted: [[UInt8]] = []
        for end in ends {
            let submission = try end.submission(of: records[0], report)
            let bytes = Self.agreed(submission)
            submitted.append(bytes)
            let findings = try end.findings(from: bytes, in: records, report, asOf: report.seconds)
            var verdict = Self.judge(findings, end.scheme, outbreak.plan)
            verdict.submitted = submission.text.contents
            verdict.expiredFindingCount = try Self.expired(end, bytes, records, report).count
            verdicts.append(verdict)
        }
        try forget(&records, ends, submitted, report)

        outbreak.putAway(forDays: Self.drawerDays)
        outbreak.run(untilDay: total) { progress($0, total) }
        let late = try Self.records(outbreak, options.wearerCount)
        for (index, end) in ends.enumerated() {
            verdicts[index].erasedFindingCount = try Self.again(end, submitted[index], late, report).count
        }
        violations = outbreak.violations
        for record in late where !record.hasListenedLately {
            violations.append("wearer \(record.wearer)'s board has recorded nothing since it was put away")
        }
    }

    private static func report(of outbreak: Outbreak) -> ReportedIllness {
        let firstDay = Outbreak.epochSeconds / 86_400
        let days = outbreak.plan.reportedDays
        return ReportedIllness(
            seconds: Outbreak.seconds(at: outbreak.world.now),
            days: UInt32(firstDay + days.lowerBound)...UInt32(firstDay + days.upperBound - 1))
    }

    /// The submission's bytes, after the patient has seen its content and agreed.
    private static func agreed(_ submission: Submission) -> [UInt8] {
        submission.bytes { !$0.contents.isEmpty } ?? []
    }

    /// The findings after the retention time. If the scheme publishes nothing, the patient reports only then.
    private static func expired(
        _ end: any OutbreakFlow, _ submitted: [UInt8], _ records: [WearerRecord], _ report: ReportedIllness
    ) throws -> [Finding] {
        let later = report.delayed(byDays: end.scheme.retentionDays)
        guard end.scheme.isPublished else {
            return try end.findings(
                from: agreed(end.submission(of: records[0], later)), in: records, later, asOf: later.seconds)
        }
        return try end.findings(from: submitted, in: records, report, asOf: later.seconds)
    }

    /// The findings in other records of the same people, at the time of the report, so that the search hides
    /// nothing that is still there.
    private static func again(
        _ end: any OutbreakFlow, _ submitted: [UInt8], _ records: [WearerRecord], _ report: ReportedIllness
    ) throws -> [Finding] {
        let bytes =
            end.scheme.isPublished ? submitted : agreed(try end.submission(of: records[0], report))
        return try end.findings(from: bytes, in: records, report, asOf: report.seconds)
    }

    /// Lets archives forget the contacts of one scheme after another, as their retention times end.
    private mutating func forget(
        _ records: inout [WearerRecord], _ ends: [any OutbreakFlow], _ submitted: [[UInt8]],
        _ report: ReportedIllness
    ) throws {
        var days = 0
        for index in ends.indices.sorted(by: { ends[$0].scheme.retentionDays < ends[$1].scheme.retentionDays }
        ) {
            let end = ends[index]
            if end.scheme.retentionDays != days {
                days = end.scheme.retentionDays
                for place in records.indices {
                    try records[place].forgetExpired(at: report.delayed(byDays: days).seconds)
                }
            }
            verdicts[index].forgottenFindingCount =
                try Self.again(end, submitted[index], records, report).count
        }
    }

    private static func records(_ outbreak: Outbreak, _ count: Int) throws -> [WearerRecord] {
        try (0..<count).map { try WearerRecord(outbreak.fetchLog(of: $0), of: $0) }
    }

    private static func end(
        of scheme: SchemeID, _ outbreak: Outbreak, _ secrets: OutbreakSecrets
    ) -> (any OutbreakFlow)? {
        switch scheme {
        case .herald:
            let secret = outbreak.heraldSecret(of: 0)
            return HeraldFlow(
                schedule: HeraldKeySchedule(secret: secret.span, epochDay: SimulatedBoard.heraldEpochDay))
        case .sonar:
            return SonarFlow(
                authorityScalar: secrets.authorityScalar, register: secrets.sonar,
                registration: secrets.registration(of: 0))
        case .covidTracer: return CovidTracerFlow(root: secrets.roots[0])
        case .bleProximity: return BLEProximityFlow()
        case .exposureNotification:
            return ExposureNotificationFlow(authorityScalar: secrets.authorityScalar)
        case .robert, .dp3t, .tcn: return nil
        }
    }

    static func judge(
        _ findings: [Finding], _ scheme: SchemeID, _ plan: OutbreakPlan
    ) -> Verdict {
        var verdict = Verdict(scheme: scheme)
        verdict.findingCount = findings.count
        for number in 1...plan.acquaintances.count {
            let own = findings.filter { $0.wearer == number }
            let meetings = plan.meetings(withPatientOf: number, fromDay: scheme.firstDay(plan))
            verdict.meetingCount += meetings.count
            verdict.missedCount += meetings.count { meeting in !own.contains { $0.isIn(meeting) } }
            verdict.falseCount += own.count { finding in !meetings.contains { finding.isIn($0) } }
            if meetings.isEmpty {
                verdict.bystanderCount += 1
                if !own.isEmpty { verdict.alarmedBystanderCount += 1 }
            }
        }
        return verdict
    }
}

extension Finding {
    /// The readings have the boards' clocks, which may differ this much from the world's.
    private static let clockToleranceSeconds: UInt64 = 10

    fileprivate func isIn(_ meeting: OutbreakPlan.Meeting) -> Bool {
        let start = Outbreak.seconds(at: meeting.start), end = Outbreak.seconds(at: meeting.end)
        return seconds + Self.clockToleranceSeconds >= start && seconds <= end + Self.clockToleranceSeconds
    }
}
