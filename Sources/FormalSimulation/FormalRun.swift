import Analysis
import Simulator

/// Herald's formal test in a simulated room. Devices lie there for hours, and each one's own log shows which
/// others it heard.
public struct FormalRun: Sendable {
    /// The devices that take part.
    public enum Devices: String, CaseIterable, Sendable, Codable {
        /// Wearables, with a new identity every six minutes.
        case tabard
        /// Half boards, half phones of the simulator's kinds. Only boards keep a log.
        case mixed
        /// Herald's own app as of 1.0. It counts a phone with a changed address as a new device.
        case android1
        /// Herald's own app from 1.1 on. Pseudo device addresses let it recognise such phones.
        case android2
    }

    /// The schemes that boards use besides Herald.
    public enum Schemes: String, CaseIterable, Sendable, Codable {
        /// None, by default: all other schemes are off until the configuration enables them.
        case delivered
        /// None, by explicit configuration: Herald alone.
        case herald
        /// Sonar, CovidTracer, BLE-Proximity and Exposure Notification, together with Herald.
        case all
    }

    public struct Options: Sendable {
        public var devices = Devices.tabard
        public var deviceCount = 10
        public var schemes = Schemes.delivered
        /// `radio.duty` of the boards.
        public var duty = BoardDuty.continuous
        /// Phones with apps of the other four schemes, in the same room; none of them counts.
        public var otherCount = 0
        public var duration = SimulatedDuration.hours(12)
        /// For ``Devices/android1``: the number of phones with a new address for each scan. Two, as in
        /// Herald's own tests.
        public var changingCount = 2
        public var seed: UInt64 = 1

        public init() {}
    }

    /// The outcome as numbers that a worker process can hand back.
    public struct Outcome: Sendable, Codable {
        public let seed: UInt64
        public let figures: FormalSummary.Figures
        public let detectedPairCount: Int
        public let missedWindowCount: Int
        /// The encounters in boards' logs.
        public internal(set) var encounterCount = 0
        /// The encounters in boards' logs that have an identity.
        public internal(set) var identifiedEncounterCount = 0
        public internal(set) var linkCount: UInt64 = 0
        /// The bytes on links of boards and of the devices that they talked with.
        public internal(set) var linkByteCount: UInt64 = 0
        public internal(set) var advertByteCount: UInt64 = 0
        /// The percentage of the time for which boards scanned.
        public internal(set) var scanPercent = 0.0
        public internal(set) var collisionCount: UInt64 = 0
        /// For the control: connection attempts.
        public internal(set) var attemptCount: UInt64 = 0
        /// For the control: failed connection attempts.
        public internal(set) var failedAttemptCount: UInt64 = 0
        /// For the control: scans.
        public internal(set) var scanCount: UInt64 = 0
        /// The number of devices times seconds.
        public internal(set) var deviceSeconds = 0.0
        /// For phones with other schemes' apps: how often they read a board.
        public internal(set) var otherReadCount: UInt64 = 0
        /// For phones with other schemes' apps: how often a board read them.
        public internal(set) var otherServedCount: UInt64 = 0
        /// For phones with other schemes' apps: how often a board kept them awake.
        public internal(set) var otherKeptAwakeCount: UInt64 = 0
        /// The boards' messages that break a protocol's rules.
        public internal(set) var violations: [String] = []
    }

    public let result: FormalResult
    public let outcome: Outcome
    /// A hash of all events.
    public let trace: Trace

    /// - Parameter progress: Called after each simulated hour, with the number of hours that have passed.
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
