import EncounterLog
import FixedMemory

/// Compares the reports that reached the agent with the counts of the agent and its log.
///
/// The agent counts every report once, and exactly one coverage entry includes it. The entries together
/// include all reports up to the end of the last entry, and all reports that are old enough. When the agent
/// has ended in order, they include every report.
final class ReportsAreCountedOnce: Check {
    private struct Count {
        let instant: Instant
        let reports: UInt64
    }

    /// The report count at each second of this boot.
    private var history: [Count] = []
    private var counted: UInt64 = 0
    private var logged: UInt64 = 0
    private var boot: UInt64 = 0
    private var nextOverdue = Instant.start

    private static let overduePause = Interval.seconds(10)

    override func agentStarted() {
        history = [Count(instant: .start, reports: 0)]
        counted = 0
        logged = 0
        boot = board.bootIdentifier
        nextOverdue = .start
    }

    /// Checks that the log includes every counted report, unless the agent was killed or its power was cut.
    override func agentEnded() {
        guard board.ending != nil, !hasLostEntries, logged < counted else { return }
        broken("at its end coverage has \(logged) reports, \(counted) came")
    }

    override func stepped(_ step: StepFacts) {
        guard let counters = board.counters else { return }
        let growth = UInt64(counters.reports) &- counted
        counted = UInt64(counters.reports)
        if growth > step.reportCount {
            broken("\(step.reportCount) reports came, \(growth) were counted")
        } else if growth < step.reportCount {
            broken("\(step.reportCount) reports came, only \(growth) were counted")
        }
        if step.now >= (history.last?.instant ?? .start) + .seconds(1) {
            history.append(Count(instant: step.now, reports: counted))
        }
        if step.now >= nextOverdue {
            nextOverdue = step.now + Self.overduePause
            checkOverdue(at: step.now)
        }
    }

    /// Checks that coverage entries include all reports that are old enough.
    private func checkOverdue(at now: Instant) {
        let limit = checker.coverageLimit
        guard now > .start + limit else { return }
        let least = reports(before: now - limit)
        guard logged < least, !hasLostEntries else { return }
        broken("coverage has \(logged) reports, \(least) came before \((now - limit).milliseconds) ms")
    }

    override func committed(_ page: CommittedPage) {
        guard page.bootIdentifier == boot else { return }
        for entry in page.entries {
            guard case .coverage(let body) = entry else { continue }
            logged += UInt64(body.reports)
            let least = reports(before: body.end)
            // The agent's counters do not include the reports of the current step yet.
            if logged > counted + UInt64(checker.reportsInStep) {
                broken("coverage has \(logged) reports, \(counted) came")
            } else if logged < least, !hasLostEntries {
                broken("coverage up to \(body.end.milliseconds) ms has \(logged) reports, \(least) came")
            }
        }
    }

    private var hasLostEntries: Bool {
        diary.had(\.isOfFlash, from: checker.bootTime, to: checker.world.now)
    }

    /// The count more than a second before `instant`. An entry ends at its last report or earlier.
    private func reports(before instant: Instant) -> UInt64 {
        var low = 0
        var high = history.count
        while low < high {
            let middle = (low + high) / 2
            if history[middle].instant + .seconds(1) < instant { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? 0 : history[low - 1].reports
    }
}
