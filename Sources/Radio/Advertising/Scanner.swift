import EncounterLog
import FixedMemory
import HCI

/// Scanning: the commands that were sent, the controller's answers, and the next command.
///
/// A controller refuses scan parameters (0x0C) while it scans, so the order is always stop, set, start.
package struct Scanner: BitwiseCopyable, Sendable {
    enum Step: BitwiseCopyable {
        case parameters, start, stop
        /// The parameters again, while the controller scans: see ``ScanProof``.
        case proof
    }

    /// A pause up to this long, as for a change of the address, does not end a period of scanning.
    private static let shortPause = Interval.milliseconds(250)

    package private(set) var isScanning = false
    /// The last command was to start, and the controller has not refused it. It may not have answered yet:
    /// reports that come from then on prove that it scans.
    private(set) var isStartAsked = false
    /// When the command to stop was sent; nil once the controller has answered.
    private(set) var stopAsked: Instant?
    /// When the scan was last stopped.
    private(set) var lastStop = Instant.start
    /// When the last command to start was sent.
    package private(set) var startAsked = Instant.start
    /// The start of the period of scanning, which short pauses do not end.
    package private(set) var scanningSince = Instant.start
    private var paused: Instant?
    /// The number of times that the scan was started. It wraps around.
    package private(set) var startCount: UInt32 = 0
    package private(set) var refusal: RoleRefusal?
    /// The scan must be stopped before anything else, whether the agent believes that it is on or not.
    private var mustStop = false
    private var hasParameters = false
    /// The timing in the last scan parameters that the agent has sent.
    package private(set) var timing = ScanDuty.continuous.near
    package var proof = ScanProof()

    /// The controller scans, and no command to stop was sent. A controller may report late that it has
    /// stopped.
    package var isSurelyScanning: Bool { isScanning && stopAsked == nil }

    /// Stops the scan and sets it up again.
    package mutating func restart() {
        mustStop = true
        hasParameters = false
    }

    /// Does the same, and asks for a proof that the controller then scans.
    package mutating func restartWithProof() {
        restart()
        proof.want()
    }

    /// Sets the scan up again without stopping one that is off, and asks for the proof.
    mutating func renew() {
        if isScanning { mustStop = true }
        hasParameters = false
        proof.want()
    }

    /// Whether the scan can be proved, and was not for so long.
    package func needsProof(after age: Interval, now: Instant) -> Bool {
        isSurelyScanning && proof.isPossible && proof.failureCount == 0 && now >= proof.latest + age
    }

    /// Stops the scan before the next command.
    mutating func stopFirst() { mustStop = true }

    /// - Parameters:
    ///   - isWanted: whether the plan scans, and the address stays.
    ///   - timing: the timing that the plan wants.
    func mustStop(isWanted: Bool, timing: ScanTiming) -> Bool {
        mustStop || isScanning && (!isWanted || timing != self.timing)
    }

    /// The next step of a scan that is off.
    func nextStart(timing: ScanTiming) -> Step {
        hasParameters && timing == self.timing ? .start : .parameters
    }

    mutating func command(
        for step: Step, _ commands: CommandFamily, timing planned: ScanTiming, under own: DeviceAddress,
        now: Instant
    ) -> Command {
        switch step {
        case .parameters:
            timing = planned
            return commands.setScanParameters(timing, under: own)
        case .proof:
            proof.didAsk(now: now)
            return commands.setScanParameters(timing, under: own)
        case .start:
            isStartAsked = true
            startAsked = now
            let isBack = paused.map { now <= $0 + Self.shortPause } ?? false
            if !isBack { scanningSince = now }
        case .stop:
            isStartAsked = false
            paused = mustStop ? nil : now
            mustStop = true
            stopAsked = now
            if isScanning { lastStop = now }
        }
        return commands.setScanEnable(step == .start)
    }

    /// Processes the answer to the command for `step`.
    mutating func didReceiveAnswer(
        to step: Step, _ opCode: OpCode, _ status: Status, isAdvertising: Bool, now: Instant
    ) -> RoleOutcome {
        let isDone = status == .success
        switch step {
        // A controller may refuse a second "disable". The scan is off in either case.
        case .stop:
            isScanning = false
            mustStop = false
            stopAsked = nil
            return .proceeds
        case .start:
            isScanning = isDone
            isStartAsked = isDone
            if isDone {
                startCount &+= 1
                refusal = nil
                return .proceeds
            }
            if status == .commandDisallowed, isAdvertising { return .excludesOther }
            hasParameters = false
        case .parameters:
            hasParameters = isDone
            if isDone { return .proceeds }
            // The controller disallows new parameters because it scans, so the scan must be stopped first.
            if status == .commandDisallowed { mustStop = true }
        case .proof:
            return proof.didReceiveAnswer(status) ? .lost : .proceeds
        }
        RoleRefusal.record(opCode, status, in: &refusal, now: now)
        return .refused
    }
}
