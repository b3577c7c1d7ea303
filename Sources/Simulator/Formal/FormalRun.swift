import Analysis
import HCI

/// Herald's formal test in a simulated room: devices that lie there for hours, and what each heard of the others by its own
/// log.
public struct FormalRun: Sendable {
    /// Who takes part.
    public enum Devices: String, CaseIterable, Sendable, Codable {
        /// Boards, worn: a new identity every six minutes.
        case tabard
        /// Half boards, half phones of the kinds that the simulator has. Only boards keep a log.
        case mixed
        /// Herald's own app as of 1.0: it takes a phone that changes its address for a new one.
        case android1
        /// From 1.1 on, when pseudo addresses made them known again.
        case android2
    }

    /// What boards have on beside Herald.
    public enum Schemes: String, CaseIterable, Sendable, Codable {
        /// As they are delivered: nothing, for all others are off until the configuration says otherwise.
        case delivered
        /// Nothing: Herald alone.
        case herald
        /// Sonar, CovidTracer, BLE-Proximity and Exposure Notification: all five at once.
        case all
    }

    public struct Options: Sendable {
        public var devices = Devices.tabard
        public var deviceCount = 10
        public var schemes = Schemes.delivered
        /// Phones with apps of the other four schemes, in the same room; none of them counts.
        public var otherCount = 0
        public var duration = SimulatedDuration.hours(12)
        /// Of ``Devices/android1``: phones with a new address for each scan. Two, as in Herald's own tests.
        public var changingCount = 2
        public var seed: UInt64 = 1

        public init() {}
    }

    /// How it went, as numbers that a process can hand to another.
    public struct Outcome: Sendable, Codable {
        public let seed: UInt64
        public let figures: FormalSummary.Figures
        public let detectedPairCount: Int
        public let missedWindowCount: Int
        /// Of boards' logs, and those of them of which we know who it was.
        public internal(set) var encounterCount = 0
        public internal(set) var identifiedEncounterCount = 0
        public internal(set) var linkCount: UInt64 = 0
        /// Of boards and of whom they spoke to.
        public internal(set) var linkByteCount: UInt64 = 0
        public internal(set) var advertByteCount: UInt64 = 0
        /// Of boards: how much of the time they scanned.
        public internal(set) var scanPercent = 0.0
        public internal(set) var collisionCount: UInt64 = 0
        /// Of the control: attempts at a connection, those that failed, and scans.
        public internal(set) var attemptCount: UInt64 = 0
        public internal(set) var failedAttemptCount: UInt64 = 0
        public internal(set) var scanCount: UInt64 = 0
        /// Devices times seconds.
        public internal(set) var deviceSeconds = 0.0
        /// Of phones with other schemes' apps: how often they have read a board, been read by one, and been kept awake.
        public internal(set) var otherReadCount: UInt64 = 0
        public internal(set) var otherServedCount: UInt64 = 0
        public internal(set) var otherKeptAwakeCount: UInt64 = 0
        /// What boards have sent that they must not.
        public internal(set) var violations: [String] = []
    }

    public let result: FormalResult
    public let outcome: Outcome
    /// A fingerprint of all that happened.
    public let trace: Trace

    /// `progress`: called after each simulated hour, with how many are over.
    public init(_ options: Options, progress: (Int) -> Void = { _ in }) {
        let setting = FormalSetting(options)
        setting.run(progress: progress)
        let participants = setting.participants()
        result = setting.test.result(of: participants)
        var outcome = Outcome(
            seed: options.seed, figures: FormalSummary.Figures(result),
            detectedPairCount: result.detectedPairCount,
            missedWindowCount: result.maximumWindowCount - result.windowCount)
        setting.account(&outcome)
        self.outcome = outcome
        trace = setting.world.trace
        setting.end()
    }
}
