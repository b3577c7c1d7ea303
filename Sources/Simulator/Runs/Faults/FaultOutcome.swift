import EncounterLog

/// What a ``FaultTrial`` has shown, and whether it is as it must be.
public struct FaultOutcome: Sendable {
    public let fault: ControllerFault
    /// After the fault's beginning; nil: nothing was done about it.
    public var detectedAfterSeconds: Double?
    /// When the board was first not obeyed, or not to be understood, after the fault's beginning; nil: it never was.
    public var harmAfterSeconds: Double?
    /// From the end of the fault's cause to the first good report of a radio that sees; nil: never.
    public var backAfterSeconds: Double?
    /// From the fault's beginning to 90 s after the end of its cause.
    public var blindness: BlindnessComparison
    public var rungs = ""
    /// Links that began while the cause lasted.
    public var linkCount: UInt64 = 0
    /// What the log says was done first; nil: nothing.
    public var firstRung: FirstRung?

    public struct FirstRung: Equatable, Sendable {
        public let fault: RadioFaultKind
        public let rung: RecoveryRung
    }

    public static let detectionLimitSeconds = 30.0
    public static let recoveryLimitSeconds = 60.0
    /// An attempt of 5 s, and some answers before and after it that are almost too late, are shorter: such a pause is no harm.
    private static let pauseLimitSeconds = 20.0

    public init(_ fault: ControllerFault, blindness: BlindnessComparison) {
        self.fault = fault
        self.blindness = blindness
    }

    /// How long at a time the log may differ from the truth, either way.
    public var allowedSeconds: Double {
        // From one report to the next, at either end.
        let betweenReports = 0.5
        return switch fault {
        // All that the agent hears of may be so old, and the next report as much later than this one.
        case .lateEvents: 3.5 + betweenReports
        // A packet whose length is damaged takes what follows for its content, at either end. An answer that was lost
        // is missed after 4 s, and what is heard until then is not trusted, or is.
        case .corruptedStream: 2 + 4 + betweenReports
        // What comes waits behind the answer to the start of the scan.
        case .crowdedReplies: 1.5 + betweenReports
        // Whether somebody is heard twice is asked once a second, and what comes until then is believed.
        case .duplicateFilter: 2 + betweenReports
        default: betweenReports
        }
    }

    /// What is not as it must be; nil: all is.
    public var complaint: String? {
        if needsLinks, linkCount == 0 { return "nobody connected, so nothing was tried" }
        if let expected, firstRung.map({ !expected.contains($0) }) ?? !expected.isEmpty {
            return "taken for another fault, or for none"
        }
        if let harm = firstHarmSeconds,
            detectedAfterSeconds ?? .infinity > harm + Self.detectionLimitSeconds
        {
            return "not detected in time"
        }
        if backAfterSeconds ?? .infinity > Self.recoveryLimitSeconds { return "not back in time" }
        if blindness.hiddenSeconds > allowedSeconds { return "covered while it was blind" }
        if blindness.inventedSeconds > allowedSeconds { return "not covered while it was not blind" }
        return nil
    }

    /// From when on it must be detected; nil: it did no harm.
    private var firstHarmSeconds: Double? {
        let blindness = blindness.beginningSeconds(ofLongerThan: Self.pauseLimitSeconds)
        return [showsAtOnce ? 0 : nil, harmAfterSeconds, blindness].compactMap(\.self).min()
    }

    /// The board was obeyed, understood its controller and saw, so there was nothing to detect, and nothing was done.
    public var isHarmless: Bool { firstHarmSeconds == nil && detectedAfterSeconds == nil }

    /// What the log must say was done first, one of these; empty: nothing, for the agent avoids the fault or nothing is
    /// wrong; nil: that depends on what the fault hits.
    private var expected: [FirstRung]? {
        switch fault {
        case .commandTimeout: [FirstRung(fault: .commandTimeout, rung: .reset)]
        case .hardwareError: [FirstRung(fault: .hardwareError, rung: .reset)]
        case .vanishedAdapter: [FirstRung(fault: .transport, rung: .reopen)]
        case .silence: [FirstRung(fault: .silence, rung: .restartScan)]
        case .emptyReports, .unknownRSSI: [FirstRung(fault: .emptyReports, rung: .restartScan)]
        // Each was heard once, and then nobody: which of the two it is shows after a new start of the scan.
        case .duplicateFilter:
            [
                FirstRung(fault: .silence, rung: .restartScan),
                FirstRung(fault: .wrongScanMode, rung: .restartScan),
            ]
        case .scanResponses, .extendedReports: [FirstRung(fault: .wrongScanMode, rung: .restartScan)]
        case .disallowedAddress, .disallowedParameters: [FirstRung(fault: .refusedRole, rung: .restartRoles)]
        case .untoldEndings:
            [
                FirstRung(fault: .stuckLink, rung: .reset), FirstRung(fault: .stuckConnecting, rung: .reset),
            ]
        case .rolesStoppedByConnection, .wedgeWhenConnecting, .eventFlood, .duplicateEvents, .lateEvents: []
        case .crowdedReplies, .corruptedStream: nil
        }
    }

    /// The next reports, or the next answer, which is never far off, show it.
    private var showsAtOnce: Bool {
        switch fault {
        case .commandTimeout, .hardwareError, .vanishedAdapter, .emptyReports, .unknownRSSI,
            .scanResponses,
            .extendedReports, .untoldEndings:
            true
        case .silence, .duplicateFilter, .disallowedAddress, .disallowedParameters, .rolesStoppedByConnection,
            .wedgeWhenConnecting, .eventFlood, .duplicateEvents, .lateEvents, .crowdedReplies,
            .corruptedStream:
            false
        }
    }

    /// It happens only when a link is made.
    private var needsLinks: Bool {
        fault == .rolesStoppedByConnection || fault == .wedgeWhenConnecting || fault == .untoldEndings
    }
}
