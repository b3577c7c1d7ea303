import EncounterLog

/// The outcome of a ``FaultTrial``, and its verdict.
public struct FaultOutcome: Sendable {
    public let fault: ControllerFault
    /// The time from the start of the fault to the first reaction; nil if there was none.
    public var detectedAfterSeconds: Double?
    /// The time from the start of the fault until a command was not obeyed or the stream made no sense. Nil
    /// if that never happened.
    public var harmAfterSeconds: Double?
    /// The time from the end of the fault's cause to the first good report of a working radio; nil if there
    /// was none.
    public var backAfterSeconds: Double?
    /// Compared from the start of the fault to 90 s after the end of its cause.
    public var blindness: BlindnessComparison
    public var rungs = ""
    /// The number of links that began while the cause lasted.
    public var linkCount: UInt64 = 0
    /// The first recovery step in the log; nil if there is none.
    public var firstRung: FirstRung?

    public struct FirstRung: Equatable, Sendable {
        public let fault: RadioFaultKind
        public let rung: RecoveryRung
    }

    public static let detectionLimitSeconds = 30.0
    public static let recoveryLimitSeconds = 60.0
    /// A connection attempt of 5 s with nearly late answers before and after it is shorter than this. Such
    /// a pause does no harm.
    private static let pauseLimitSeconds = 20.0

    public init(_ fault: ControllerFault, blindness: BlindnessComparison) {
        self.fault = fault
        self.blindness = blindness
    }

    /// The time between two reports, at either end.
    private static let betweenReports = 0.5

    /// How long at a time the log may leave out what was not blind.
    public var allowedInventedSeconds: Double {
        switch fault {
        // The normal round pauses the scan for up to three seconds, because each of its commands may be
        // answered late. A scan that it stops again a moment later is not confirmed.
        case .crowdedReplies: 3 + Self.betweenReports
        default: allowedHiddenSeconds
        }
    }

    /// How long at a time the log may cover what was blind.
    public var allowedHiddenSeconds: Double {
        let betweenReports = Self.betweenReports
        return switch fault {
        // All that the agent receives may be that old, and the next report that much later than this one. A
        // scan that the agent starts and stops again meanwhile is never confirmed.
        case .lateEvents: 7.5 + betweenReports
        // A packet with a damaged length swallows the packets that follow as its content, at either end. The
        // agent notices a lost answer after 4 s. Until then it may or may not trust the reports.
        case .corruptedStream: 2 + 4 + betweenReports
        // All packets wait for the answer to the scan start.
        case .crowdedReplies: 1.5 + betweenReports
        // The agent tests once a second whether it hears devices repeatedly. It trusts the reports until
        // then.
        case .duplicateFilter: 2 + betweenReports
        // The normal round pauses the scan for up to three seconds, and then starts it again. The scan may
        // have ended a moment before.
        case .scanEnds, .amnesia, .restart: 4 + betweenReports
        default: betweenReports
        }
    }

    /// The first requirement that the outcome does not meet; nil if it meets all.
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
        if fault != .muteScan, blindness.hiddenSeconds > allowedHiddenSeconds {
            return "covered while it was blind"
        }
        if blindness.inventedSeconds > allowedInventedSeconds { return "not covered while it was not blind" }
        return nil
    }

    /// When the fault first did harm, so that the agent must detect it from then on; nil if it did none.
    private var firstHarmSeconds: Double? {
        let blindness = blindness.beginningSeconds(ofLongerThan: Self.pauseLimitSeconds)
        return [showsAtOnce ? 0 : nil, harmAfterSeconds, blindness].compactMap(\.self).min()
    }

    /// Whether nothing had to be detected and nothing was done. The board was obeyed, understood its
    /// controller, and could receive.
    public var isHarmless: Bool { firstHarmSeconds == nil && detectedAfterSeconds == nil }

    /// The recovery steps of which the log must name one as the first. Empty if the log must name none,
    /// because the agent avoids the fault or nothing is wrong. Nil if the step depends on what the fault
    /// affects.
    private var expected: [FirstRung]? {
        switch fault {
        case .commandTimeout: [FirstRung(fault: .commandTimeout, rung: .reset)]
        case .hardwareError: [FirstRung(fault: .hardwareError, rung: .reset)]
        case .vanishedAdapter: [FirstRung(fault: .transport, rung: .reopen)]
        case .silence: [FirstRung(fault: .scanStopped, rung: .restartScan)]
        case .restart: [FirstRung(fault: .restarted, rung: .reset)]
        case .refusedConnecting: [FirstRung(fault: .refusedRole, rung: .reset)]
        case .emptyReports, .unknownRSSI: [FirstRung(fault: .emptyReports, rung: .restartScan)]
        case .duplicateFilter, .scanResponses, .extendedReports:
            [FirstRung(fault: .wrongScanMode, rung: .restartScan)]
        case .disallowedAddress, .disallowedParameters: [FirstRung(fault: .refusedRole, rung: .restartRoles)]
        case .untoldEndings:
            [
                FirstRung(fault: .stuckLink, rung: .reset), FirstRung(fault: .stuckConnecting, rung: .reset),
            ]
        // The silence of all devices, after which the agent tells the controller everything again.
        case .muteScan, .amnesia, .scanEnds: []
        case .rolesStoppedByConnection, .wedgeWhenConnecting, .eventFlood, .duplicateEvents, .lateEvents,
            .earlyData, .strangersAnswers, .statusFirst, .foreignPackets, .failedIncoming:
            []
        case .crowdedReplies, .corruptedStream, .slowReset: nil
        }
    }

    /// Whether the next report or answer reveals the fault. Either comes soon.
    private var showsAtOnce: Bool {
        switch fault {
        case .commandTimeout, .hardwareError, .vanishedAdapter, .emptyReports, .unknownRSSI,
            .scanResponses,
            .extendedReports, .untoldEndings:
            true
        case .muteScan, .amnesia, .restart, .scanEnds, .earlyData, .strangersAnswers, .statusFirst,
            .foreignPackets, .refusedConnecting, .failedIncoming, .slowReset,
            .silence, .duplicateFilter, .disallowedAddress, .disallowedParameters, .rolesStoppedByConnection,
            .wedgeWhenConnecting, .eventFlood, .duplicateEvents, .lateEvents, .crowdedReplies,
            .corruptedStream:
            false
        }
    }

    /// Whether the fault needs a new link to act.
    private var needsLinks: Bool {
        switch fault {
        case .rolesStoppedByConnection, .wedgeWhenConnecting, .untoldEndings, .earlyData: true
        default: false
        }
    }

    /// Whether a renewal may end the fault: it tells the controller everything again, below the first rung.
    static func isMetByRenewal(_ fault: ControllerFault) -> Bool {
        switch fault {
        case .silence, .muteScan, .amnesia, .restart, .scanEnds, .duplicateFilter: true
        default: false
        }
    }
}
