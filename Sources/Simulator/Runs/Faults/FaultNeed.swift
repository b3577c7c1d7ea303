/// A condition that a world must meet for a kind of fault to have any effect.
enum FaultNeed {
    /// Devices that advertise, because the fault concerns reports.
    case somebody
    /// Devices that have links with the board now and then.
    case links
    /// Such devices, and a board that advertises.
    case linksBesideAdvertising
    /// A controller on a UART.
    case stream
    /// Legacy commands, because the fault sends extended reports that the agent did not request.
    case legacyCommands
    /// A host that fetches the log.
    case host
    /// Reads of the medium: a log is mounted or fetched.
    case reading
    /// A medium whose segments are erased.
    case erasing
    /// A wall clock that has been set.
    case wallTime
}

extension FaultKind {
    /// The condition of this kind of fault; nil if it acts in every world.
    var need: FaultNeed? {
        switch self {
        case .radio(let fault): fault.need
        case .board(let fault): fault.need
        }
    }
}

extension ControllerFault {
    fileprivate var need: FaultNeed? {
        switch self {
        case .silence, .muteScan, .emptyReports, .duplicateFilter, .scanResponses, .unknownRSSI: .somebody
        case .extendedReports: .legacyCommands
        case .rolesStoppedByConnection, .untoldEndings, .earlyData, .refusedConnecting: .links
        case .wedgeWhenConnecting, .failedIncoming: .linksBesideAdvertising
        case .corruptedStream: .stream
        case .commandTimeout, .hardwareError, .vanishedAdapter, .disallowedAddress, .disallowedParameters,
            .eventFlood, .crowdedReplies, .duplicateEvents, .lateEvents, .amnesia, .restart, .scanEnds,
            .strangersAnswers, .statusFirst, .foreignPackets, .slowReset:
            nil
        }
    }
}

extension BoardFault {
    fileprivate var need: FaultNeed? {
        switch self {
        case .readFailure, .bitFlip: .reading
        case .split, .loss, .corruption, .hangUp, .lineSilence: .host
        case .noWallTime, .wallTimeStep: .wallTime
        case .eraseFailure: .erasing
        case .powerCut, .tornWrite, .agentKilled, .agentStopped, .programFailure, .lostWrite,
            .bitFlipAtRest, .wornSegment, .full:
            nil
        }
    }

    /// Whether an agent starts after the fault, and mounts the log.
    fileprivate var endsAgent: Bool {
        switch self {
        case .powerCut, .tornWrite, .agentKilled, .agentStopped: true
        default: false
        }
    }
}

extension RunOptions {
    /// Whether a fault of this kind can have any effect in this world.
    func canAct(_ kind: FaultKind) -> Bool {
        switch kind.need {
        case nil: true
        case .somebody: hasSomebody
        case .links: hasLinks
        case .linksBesideAdvertising: hasLinks && !has(.silent)
        case .stream: transport == .stream
        case .legacyCommands: hasSomebody && !has(.extendedCommands)
        case .host: hasHost
        case .reading: hasHost || endsAgent
        // An overwritable medium is erased only when its pages exceed the retention time.
        case .erasing: !has(.overwritableMedium) || has(.retention)
        case .wallTime: knowsWallTime || hasHost
        }
    }

    /// Whether a host is present in the first phase. It sometimes also sets the board's clock.
    private var hasHost: Bool { hostCount > 0 || has(.operatorSends) }

    private var endsAgent: Bool {
        faults.contains { if case .board(let fault) = $0.kind { fault.endsAgent } else { false } }
    }

    private var hasLinks: Bool {
        phoneCount > 0 || world.contains { $0 == .neighbour || !$0.guests.isEmpty }
    }

    private var hasSomebody: Bool {
        hasLinks || unsupportedPeerCount > 0
            || world.contains { !$0.phoneKinds.isEmpty || $0.isOfExposureNotification }
    }
}
