import Cryptography
import FixedMemory
import Schemes
import Simulator

/// An outbreak in simulation, whole: wearers meet for weeks, one falls ill and reports, and those who were near find it, by
/// each scheme that is tried. Then the boards lie in a drawer until nobody may keep what they recorded; switched on for another
/// day, they have nothing left by which anybody would find anything.
public struct OutbreakTrial {
    public struct Verdict: Equatable, Sendable {
        public let scheme: OutbreakScheme
        /// Meetings with the patient that were to be found, and those of them that were not.
        public var meetingCount = 0
        public var missedCount = 0
        /// Readings that matched, and those of them that were in no such meeting.
        public var findingCount = 0
        public var falseCount = 0
        /// Wearers to whom the patient was nobody, and those of them who were told otherwise.
        public var bystanderCount = 0
        public var alarmedBystanderCount = 0
        /// Readings that matched after the time for which contacts are kept.
        public var lateFindingCount = 0

        public var holds: Bool {
            meetingCount > 0 && missedCount == 0 && falseCount == 0 && alarmedBystanderCount == 0
                && bystanderCount > 0 && lateFindingCount == 0
        }
    }

    public private(set) var verdicts: [Verdict] = []
    /// What controllers found wrong with their hosts.
    public private(set) var violations: [String] = []
    public private(set) var encounterCount = 0

    /// Contacts are kept for 28 days (log.retention_days).
    private static let drawerDays: UInt64 = 29
    private static let reportHour: UInt64 = 7

    /// - Parameters:
    ///   - progress: is called after each simulated day, with its number and how many there are.
    public init(
        _ schemes: [OutbreakScheme], options: Outbreak.Options = Outbreak.Options(),
        progress: (UInt64, UInt64) -> Void = { _, _ in }
    ) throws {
        var options = options
        let secrets = try OutbreakSecrets(wearerCount: options.wearerCount, seed: options.seed)
        options.schemeSettings += schemes.flatMap(\.settings)
        options.secrets = { secrets.settings(of: $0) }
        options.covidTracerRoots = { secrets.roots[$0] }
        if schemes.contains(.exposureNotification) { options.exposurePhoneCount = 2 }
        let outbreak = Outbreak(options)
        defer { outbreak.end() }
        let total = options.days + Self.drawerDays + 2

        outbreak.run(untilDay: options.days) { progress($0, total) }
        outbreak.world.run(for: .hours(Self.reportHour))
        let firstDay = Outbreak.epochSeconds / 86_400
        let reported = outbreak.plan.reportedDays
        let report = ReportedIllness(
            seconds: Outbreak.seconds(at: outbreak.world.now),
            days: UInt32(firstDay + reported.lowerBound)..<UInt32(firstDay + reported.upperBound))
        let ends = schemes.map { Self.end(of: $0, outbreak, secrets) }
        let records = try Self.records(outbreak, options.wearerCount)
        encounterCount = records.map(\.encounters.count).reduce(0, +)
        for end in ends {
            let findings = try end.findings(in: records, report)
            verdicts.append(Self.judge(findings, end.scheme, outbreak.plan))
        }

        outbreak.putAway(forDays: Self.drawerDays)
        outbreak.run(untilDay: total) { progress($0, total) }
        let late = try Self.records(outbreak, options.wearerCount)
        for (index, end) in ends.enumerated() {
            verdicts[index].lateFindingCount = try end.findings(in: late, report).count
        }
        violations = outbreak.violations
    }

    private static func records(_ outbreak: Outbreak, _ count: Int) throws -> [WearerRecord] {
        try (0..<count).map { try WearerRecord(outbreak.fetchLog(of: $0), of: $0) }
    }

    private static func end(
        of scheme: OutbreakScheme, _ outbreak: Outbreak, _ secrets: OutbreakSecrets
    ) -> any OutbreakEnd {
        switch scheme {
        case .herald:
            let secret = outbreak.heraldSecret(of: 0)
            return HeraldEnd(
                schedule: HeraldKeySchedule(secret: secret.span, epochDay: SimulatedBoard.heraldEpochDay))
        case .sonar:
            return SonarEnd(authorityScalar: secrets.authorityScalar, register: secrets.sonar)
        case .covidTracer: return CovidTracerEnd(root: secrets.roots[0])
        case .bleProximity: return BLEProximityEnd()
        case .exposureNotification:
            return ExposureNotificationEnd(keys: outbreak.exposureKeys(of: 0))
        }
    }

    static func judge(
        _ findings: [Finding], _ scheme: OutbreakScheme, _ plan: OutbreakPlan
    ) -> Verdict {
        var verdict = Verdict(scheme: scheme)
        verdict.findingCount = findings.count
        for number in 1...plan.acquaintances.count {
            let own = findings.filter { $0.wearer == number }
            let meetings = plan.meetings(withPatientOf: number, reportedOnly: scheme.reportsDays)
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
    /// Readings begin and end by the boards' clocks.
    private static let clockToleranceSeconds: UInt64 = 10

    fileprivate func isIn(_ meeting: OutbreakPlan.Meeting) -> Bool {
        let start = Outbreak.seconds(at: meeting.start), end = Outbreak.seconds(at: meeting.end)
        return seconds + Self.clockToleranceSeconds >= start && seconds <= end + Self.clockToleranceSeconds
    }
}
