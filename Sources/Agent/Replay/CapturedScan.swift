import EncounterLog
import HCI
import Peers

/// When a capture's host was scanning, from the commands that it sent and, where the capture begins later, from the
/// reports that came.
struct CapturedScan: BitwiseCopyable {
    /// Shorter pauses are the agent's own, in which it connects.
    private static let longestPauseMilliseconds: UInt64 = 3_000

    private(set) var isScanning = false
    /// Commands have told; before, reports do.
    private var isTold = false
    private var asked: (opCode: OpCode, isOn: Bool)?
    private var startMilliseconds: UInt64?
    private var lastScanMilliseconds: UInt64 = 0
    private var before = RecorderCounters()

    init() {}

    mutating func note(command opCode: OpCode, parameter: UInt8?) {
        switch opCode {
        case .leSetScanEnable, .leSetExtendedScanEnable: asked = (opCode, parameter == 1)
        case .reset: asked = (opCode, false)
        default: break
        }
    }

    mutating func note(answerTo opCode: OpCode, _ status: Status) {
        guard let step = asked, step.opCode == opCode else { return }
        asked = nil
        guard status == .success else { return }
        isScanning = step.isOn
        isTold = true
    }

    /// A report came: somebody is scanning, though it was not captured how that began. Where it was, a report that comes
    /// late does not begin it again.
    mutating func noteReport() { if !isTold { isScanning = true } }

    /// Returns an interval that has ended.
    mutating func advance(_ counters: RecorderCounters, nowMilliseconds now: UInt64) -> CoverageEntry? {
        if startMilliseconds == nil, isScanning { startMilliseconds = now }
        if isScanning { lastScanMilliseconds = now }
        guard startMilliseconds != nil, now > lastScanMilliseconds + Self.longestPauseMilliseconds else {
            return nil
        }
        return end(counters)
    }

    /// The capture ends.
    mutating func end(_ counters: RecorderCounters) -> CoverageEntry? {
        guard let start = startMilliseconds else { return nil }
        startMilliseconds = nil
        defer { before = counters }
        return CoverageEntry(
            startMilliseconds: start, endMilliseconds: lastScanMilliseconds,
            reports: counters.reports &- before.reports, malformed: counters.malformed &- before.malformed,
            dropped: counters.dropped &- before.dropped, evicted: counters.evicted &- before.evicted)
    }
}
