/// What a ``FaultTrial`` has shown, and whether it is as it must be.
public struct FaultOutcome: Sendable {
    public let fault: ControllerFault
    /// After the fault's beginning; nil: nothing was done about it.
    public var detectedAfterSeconds: Double?
    /// From the end of the fault's cause to the first good report of a radio that sees; nil: never.
    public var backAfterSeconds: Double?
    /// From the fault's beginning to 90 s after the end of its cause.
    public var blindness: BlindnessComparison
    public var rungs = ""

    public static let detectionLimitSeconds = 30.0
    public static let recoveryLimitSeconds = 60.0

    public init(_ fault: ControllerFault, blindness: BlindnessComparison) {
        self.fault = fault
        self.blindness = blindness
    }

    /// How long the log may differ from the truth, either way: so much for each stretch of blindness.
    public var allowedSeconds: Double { Self.stretchSeconds(fault) * Double(max(1, blindness.count)) }

    private static func stretchSeconds(_ fault: ControllerFault) -> Double {
        switch fault {
        // All that the agent hears of may be so old.
        case .lateEvents: 3
        // Whether somebody is heard twice is asked once a second, and what comes until then is believed.
        case .duplicateFilter: 2
        // So late may the controller say that it scans.
        case .crowdedReplies: 1.5
        // From one report to the next, at either end.
        default: 0.5
        }
    }

    /// What is not as it must be; nil: all is.
    public var complaint: String? {
        // Some faults blind a board only if it does something at the wrong time.
        if blindness.longestSeconds > Self.detectionLimitSeconds,
            detectedAfterSeconds ?? .infinity > Self.detectionLimitSeconds
        {
            return "not detected in time"
        }
        if backAfterSeconds ?? .infinity > Self.recoveryLimitSeconds { return "not back in time" }
        if blindness.hiddenSeconds > allowedSeconds { return "covered while it was blind" }
        if blindness.inventedSeconds > allowedSeconds { return "not covered while it was not blind" }
        return nil
    }
}
