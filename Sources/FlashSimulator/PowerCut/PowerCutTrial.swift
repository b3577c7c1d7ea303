import Cryptography
import EncounterLog
import FixedMemory

/// Writes a log round its ring twice, and lets power go in its operations: each time on a snapshot of the medium, which is
/// then mounted, read, written to, mounted again and read again. In that recovery power goes once more, at each operation,
/// on a snapshot of the snapshot.
public final class PowerCutTrial {
    /// Which operations are cut.
    public struct Selection: Sendable {
        /// Every so many of the workload's.
        public var stride = 1
        public var allErasures = true
        /// Beginning with this one.
        public var first = 0
        /// This one alone.
        public var only: Int?
        /// The recoveries from every so many of these cuts are cut, too.
        public var againStride = 1
        /// Of its recovery, this one alone.
        public var onlyAgain: Int?

        public init() {}

        func contains(_ operation: Int, _ request: SimulatedMedium.Request) -> Bool {
            if let only { return operation == only }
            if allErasures, case .erase = request { return true }
            if allErasures, case .program(_, _, let bytes) = request,
                SegmentOpening(pageStart: bytes.span) != nil
            {
                return true
            }
            return operation % stride == first
        }

        /// Other operations with each seed.
        func cutsAgain(_ operation: Int, _ scenario: PowerCutScenario) -> Bool {
            only != nil || (operation + Int(truncatingIfNeeded: scenario.seed)) % againStride == 0
        }
    }

    /// A log that is not as it must be.
    public struct Failure: Sendable {
        /// Number of the workload's operation that was cut, and of its recovery's.
        public let operation: Int
        public let again: Int?
        public let text: String
        /// What could be read before the log went on, and behind that.
        public let reading: [String]
    }

    public let scenario: PowerCutScenario
    public private(set) var counts = PowerCutCounts()
    /// Told of each cut and all that followed from it.
    public var onCut: () -> Void = {}
    public var onFailure: (Failure) -> Void = { _ in }

    /// The ring's start is passed twice.
    private static let lastSegment: UInt32 = 2 * 16 + 2
    private static let commitsAfterCut = 3

    private let selection: Selection
    /// Of workers that share a scenario, this one takes each `workers`-th cut.
    private let share: (worker: Int, workers: Int)
    /// Does something to the medium after a cut that no medium does: the judgement must see it.
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
            counts.note(request)
            books.ledger.note(request, on: medium)
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

    /// The medium as power leaves it.
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
            books.ledger.note(request, on: medium)
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
            books.ledger.noteHandedOut(reading)
            for _ in 0..<Self.commitsAfterCut { try workload.write(&log, books, entries: 2) }
            // Who only reads it needs no seal.
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
