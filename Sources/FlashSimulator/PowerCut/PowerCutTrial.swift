import Cryptography
import EncounterLog
import FixedMemory

/// Writes a log twice around its ring, and cuts power in its operations. Each cut acts on a snapshot of the
/// medium, which is then mounted, read, written to, mounted again and read again. In that recovery power is
/// cut once more, at each operation, on a snapshot of the snapshot.
public final class PowerCutTrial {
    /// The operations to cut.
    public struct Selection: Sendable {
        /// The step between the workload's operations that are cut.
        public var stride = 1
        public var allErasures = true
        /// The first such operation.
        public var first = 0
        /// The only operation to cut, if set.
        public var only: Int?
        /// The step between those cuts whose recoveries are cut, too.
        public var againStride = 1
        /// The only operation of a recovery to cut, if set.
        public var onlyAgain: Int?

        public init() {}

        func contains(_ operation: Int, _ request: SimulatedMedium.Request) -> Bool {
            if let only { return operation == only }
            if allErasures, case .erase = request { return true }
            if allErasures, case .program(_, _, let bytes) = request,
                SegmentHeader(pageStart: bytes.span) != nil
            {
                return true
            }
            return operation % stride == first
        }

        /// Whether the recovery from this cut is cut, too. The choice differs between seeds.
        func cutsAgain(_ operation: Int, _ scenario: PowerCutScenario) -> Bool {
            only != nil || (operation + Int(truncatingIfNeeded: scenario.seed)) % againStride == 0
        }
    }

    /// A log that failed the checks.
    public struct Failure: Sendable {
        /// The index of the workload's operation that was cut.
        public let operation: Int
        /// The index of the recovery's operation that was cut.
        public let again: Int?
        public let text: String
        /// The readable pages before the log continued, and after it.
        public let reading: [String]
    }

    public let scenario: PowerCutScenario
    public private(set) var counts = PowerCutCounts()
    /// Called after each cut and its recovery.
    public var onCut: () -> Void = {}
    public var onFailure: (Failure) -> Void = { _ in }

    /// The last segment, for which the ring wraps twice.
    private static let lastSegment: UInt32 = 2 * 16 + 2
    private static let commitsAfterCut = 3

    private let selection: Selection
    /// The share of the cuts for this worker: each `workers`-th one.
    private let share: (worker: Int, workers: Int)
    /// Changes the medium after a cut in a way that no medium does, for tests; the verdict must detect it.
    private let sabotage: (SimulatedMedium) -> Void
    private let workload: LogWorkload

    public init(
        _ scenario: PowerCutScenario, _ selection: Selection = Selection(),
        share: (worker: Int, workers: Int) = (0, 1),
        sabotage: @escaping (SimulatedMedium) -> Void = { _ in }
    ) throws(CryptographyError) {
        self.scenario = scenario
        self.selection = selection
        self.share = share
        self.sabotage = sabotage
        workload = try LogWorkload(scenario)
    }

    public func run() throws(LogError) {
        let medium = PowerCutScenario.medium(scenario.medium)
        let books = LogWorkload.Books(LogLedger(segmentCount: medium.geometry.segmentCount))
        var operation = 0
        var chosen = 0
        defer { medium.onRequest = nil }
        medium.onRequest = { [self] request in
            counts.record(request)
            books.ledger.record(request, on: medium)
            defer { operation += 1 }
            guard selection.contains(operation, request) else { return }
            chosen += 1
            guard chosen % share.workers == share.worker else { return }
            counts.cuts += 1
            recover(
                from: cut(medium, during: request, operation, again: nil), books.ledger, operation, again: nil
            )
            onCut()
        }
        try workload.write(to: medium, books, throughSegment: Self.lastSegment)
    }

    // MARK: One cut

    /// The medium in the state after the cut.
    private func cut(
        _ medium: SimulatedMedium, during request: SimulatedMedium.Request, _ operation: Int, again: Int?
    ) -> SimulatedMedium {
        let snapshot = medium.snapshot()
        snapshot.cutPower(during: request, tear: scenario.tear(operation: operation, again: again))
        snapshot.powerCameBack()
        sabotage(snapshot)
        return snapshot
    }

    private func recover(
        from medium: SimulatedMedium, _ before: LogLedger, _ operation: Int, again: Int?
    ) {
        let books = LogWorkload.Books(before)
        let stream = workload.stream
        defer {
            medium.onRequest = nil
            workload.stream = stream
        }
        var index = 0
        var verdict = LogLedger.Verdict()
        medium.onViolation = { _ in verdict.wrong += 1 }
        medium.onRequest = { [self] request in
            books.ledger.record(request, on: medium)
            defer { index += 1 }
            guard again == nil, selection.cutsAgain(operation, scenario),
                selection.onlyAgain ?? index == index
            else {
                return
            }
            counts.cutsAgain += 1
            recover(
                from: cut(medium, during: request, operation, again: index), books.ledger, operation,
                again: index)
        }
        let name = again.map { "\(operation), \($0)" } ?? "\(operation)"
        do throws(LogError) {
            let boot = books.ledger.begin()
            var log = try workload.mount(medium, boot, entropy: name)
            let reading = try workload.reader.read(&log)
            verdict += books.ledger.judge(reading)
            books.ledger.recordHandedOut(reading)
            for _ in 0..<Self.commitsAfterCut { try workload.write(&log, books, entries: 2) }
            // A log that is only read needs no seal.
            var next = try EncounterLog(
                mounting: SimulatedFlash(medium), newLogIdentity: Bytes(), bootIdentifier: boot + 1)
            let readingBehind = try workload.reader.read(&next)
            verdict += books.ledger.judge(readingBehind)
            guard verdict != LogLedger.Verdict() else { return }
            counts.lost += verdict.lost
            counts.wrong += verdict.wrong
            onFailure(
                Failure(
                    operation: operation, again: again, text: "\(verdict.lost) lost, \(verdict.wrong) wrong",
                    reading: reading.lines + ["then"] + readingBehind.lines))
        } catch {
            counts.stuck += 1
            counts.lost += verdict.lost
            counts.wrong += verdict.wrong
            onFailure(
                Failure(operation: operation, again: again, text: "cannot go on: \(error)", reading: []))
        }
    }
}
