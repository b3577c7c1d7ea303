/// What a kind of fault needs in a world, to make any difference there.
enum FaultNeed {
    /// Who advertises, for it is about reports.
    case somebody
    /// Who is linked with the board now and then.
    case links
    /// The same, and a board that advertises.
    case linksBesideAdvertising
    /// A controller on a UART.
    case stream
    /// Reports of the other kind than the agent asks for.
    case legacyCommands
    /// A computer that fetches the log.
    case host
    /// Who reads the medium: a log is mounted, or fetched.
    case reading
    /// A medium of which segments are erased.
    case erasing
    /// A wall clock that was set.
    case wallTime
}

extension FaultKind {
    /// Nil: it acts in every world.
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
        case .silence, .emptyReports, .duplicateFilter, .scanResponses, .unknownRSSI: .somebody
        case .extendedReports: .legacyCommands
        case .rolesStoppedByConnection, .untoldEndings: .links
        case .wedgeWhenConnecting: .linksBesideAdvertising
        case .corruptedStream: .stream
        case .commandTimeout, .hardwareError, .vanishedAdapter, .disallowedAddress, .disallowedParameters,
            .eventFlood, .crowdedReplies, .duplicateEvents, .lateEvents:
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

    /// An agent is started after it, and mounts the log.
    fileprivate var endsAgent: Bool {
        switch self {
        case .powerCut, .tornWrite, .agentKilled, .agentStopped: true
        default: false
        }
    }
}

extension RunOptions {
    /// Whether a fault of this kind can make any difference here.
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
        // What is written over is erased only when it is too old.
        case .erasing: !has(.overwritableMedium) || has(.retention)
        case .wallTime: knowsWallTime || hasHost
        }
    }

    /// A computer is there in the first phase. It sets the board's clock now and then, too.
    private var hasHost: Bool { hostCount > 0 || has(.operatorSends) }

    private var endsAgent: Bool {
        faults.contains { if case .board(let fault) = $0.kind { fault.endsAgent } else { false } }
    }

    private var hasLinks: Bool {
        phoneCount > 0 || world.contains { $0 == .neighbour || !$0.guests.isEmpty }
    }

    private var hasSomebody: Bool {
        hasLinks || strangerCount > 0
            || world.contains { !$0.phoneKinds.isEmpty || $0.isOfExposureNotification }
    }
}
