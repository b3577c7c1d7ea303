import FlashSimulator

/// What some worlds have and most have not, beside numbers and faults: a controller with other habits, an agent that is set
/// otherwise, others in the room. Any may come together but those of one group.
public enum WorldOption: String, Hashable, Sendable, CaseIterable {
    // The controller (``ControllerProfile``).
    /// It scans or advertises, not both.
    case rolesByTurns
    /// It takes no connections beside one.
    case oneLinkAtATime
    /// So many links and no more.
    case oneLink, tenLinks
    /// Room for data: one packet of the shortest, or many of the longest.
    case oneShortBuffer, longBuffers
    /// Its version is that of Bluetooth 5.0.
    case version5
    /// It has the extended commands, and the agent is set to use them.
    case extendedCommands
    /// The agent is set to use them, and the controller only says that it has them: by its feature alone, or by all that there
    /// is to say it with.
    case extendedFeatureOnly, falseExtendedCommands
    /// It tells of several adverts in one event, and that a little later.
    case reportsTogether
    /// It calls some addresses those of identities that it has resolved (types 2 and 3).
    case resolvedAddresses
    /// It refuses to end what is not going on (0x0C).
    case refusesSecondDisable
    /// It begins nothing before its parameters were set (0x12).
    case wantsParametersFirst

    // The agent's settings.
    case wearable
    /// It does not advertise, and writes to phones who it is.
    case silent
    case rawReadings
    /// `encounters.links`.
    case keepsOneLink, keepsSixteenLinks
    /// `log.retention_days`, on a board that once took it to be some days earlier, and for three times as long.
    case retention
    /// The other schemes: phones of theirs are recorded, or the board is somebody in them, besides.
    case sonarListens, sonarOn
    case covidTracerListens, covidTracerOn
    case bleProximityListens, bleProximityOn
    case exposureNotificationListens, exposureNotificationOn
    /// It tells iPhones whom else it has heard; wakes them; asks phones for their model; ends the weakest link, not the
    /// oldest, of two that it keeps unless it is said otherwise. Phones whom that is about are there.
    case sharesPayloads, wakesIPhones, asksModel, dropsWeakestLink

    // Others in the room.
    /// A second board with a whole agent, whose power comes and goes.
    case neighbour
    /// Phones whose addresses last for seconds or minutes, and that say a pseudo one, in its current form and the older one.
    case restlessPhones
    /// Phones that write who they are, how near they hear the board, whom else they have met, and messages: in writes of 20
    /// bytes, or as prepared writes.
    case writesFragments, writesPrepared
    /// Its operator comes often, and has the board send messages.
    case operatorSends

    // The medium.
    /// The log stands in a file or on a block device, and is written over; else on flash, which is erased.
    case overwritableMedium

    // The faults.
    /// What is wrong with the radio lasts longer than the agent waits for it (`radio.give_up_minutes`), and than it takes
    /// for a room to be taken for quiet. And an adapter that is closed may be gone when it is to be opened again.
    case longRadioFaults

    /// Of each at most one is drawn, as often as is said.
    private static let groups: [(chance: Double, options: [WorldOption])] = [
        (0.12, [.rolesByTurns]), (0.12, [.oneLinkAtATime]), (0.24, [.oneLink, .tenLinks]),
        (0.3, [.oneShortBuffer, .longBuffers]), (0.2, [.version5]), (0.2, [.extendedCommands]),
        (0.2, [.reportsTogether]),
        (0.2, [.resolvedAddresses]), (0.2, [.wearable]), (0.12, [.silent]), (0.2, [.rawReadings]),
        (0.24, [.keepsOneLink, .keepsSixteenLinks]), (0.12, [.retention]),
        (0.3, [.sonarListens, .sonarOn]), (0.3, [.covidTracerListens, .covidTracerOn]),
        (0.3, [.bleProximityListens, .bleProximityOn]),
        (0.3, [.exposureNotificationListens, .exposureNotificationOn]), (0.2, [.neighbour]),
    ]

    /// Drawn from a stream of their own, so that what was drawn before there were these stays.
    private static let laterGroups: [(chance: Double, options: [WorldOption])] = [
        (0.12, [.sharesPayloads]), (0.12, [.wakesIPhones]), (0.12, [.asksModel]), (0.12, [.dropsWeakestLink]),
        (0.16, [.restlessPhones]), (0.12, [.writesFragments]), (0.12, [.writesPrepared]),
        (0.16, [.operatorSends]), (0.16, [.longRadioFaults]),
    ]

    /// Drawn from another, where the agent is not set to use the extended commands already.
    private static let claims: (chance: Double, options: [WorldOption]) = (
        0.12, [.extendedFeatureOnly, .falseExtendedCommands]
    )

    private static let controllerGroups: [(chance: Double, options: [WorldOption])] = [
        (0.25, [.refusesSecondDisable]), (0.25, [.wantsParametersFirst]),
    ]

    /// Drawn apart, too, and for worlds that are else as most: neither medium is as most.
    private static let mediumGroups: [(chance: Double, options: [WorldOption])] = [
        (0.5, [.overwritableMedium])
    ]

    /// Of a world that is as most were before there were these.
    private static let plainChance = 0.15

    static func draw(_ random: inout RandomStream) -> Set<WorldOption> {
        random.chance(plainChance) ? [] : draw(&random, of: groups)
    }

    /// Of what there was not at first. A world that is as most stays so.
    static func drawLater(_ random: inout RandomStream, besides drawn: Set<WorldOption>) -> Set<WorldOption> {
        drawn.isEmpty ? [] : draw(&random, of: laterGroups)
    }

    /// What the controller says and is not so.
    static func drawClaim(_ random: inout RandomStream, besides drawn: Set<WorldOption>) -> Set<WorldOption> {
        drawn.isEmpty || drawn.contains(.extendedCommands) ? [] : draw(&random, of: [claims])
    }

    /// What else controllers refuse. Drawn apart, as what there was not at first.
    static func drawController(
        _ random: inout RandomStream, besides drawn: Set<WorldOption>
    ) -> Set<WorldOption> {
        drawn.isEmpty ? [] : draw(&random, of: controllerGroups)
    }

    /// Of what the log stands on.
    static func drawMedium(_ random: inout RandomStream) -> Set<WorldOption> {
        draw(&random, of: mediumGroups)
    }

    private static func draw(
        _ random: inout RandomStream, of groups: [(chance: Double, options: [WorldOption])]
    ) -> Set<WorldOption> {
        var drawn: Set<WorldOption> = []
        for group in groups where random.chance(group.chance) {
            drawn.insert(group.options[Int(random.below(UInt64(group.options.count)))])
        }
        return drawn
    }

    /// What it sets of the agent, as on the command line.
    var setting: String? {
        switch self {
        case .wearable: "agent.role=wearable"
        case .extendedCommands, .extendedFeatureOnly, .falseExtendedCommands: "radio.extended_commands=true"
        case .silent: "radio.advertise=false"
        case .rawReadings: "encounters.raw=true"
        case .keepsOneLink: "encounters.links=1"
        case .keepsSixteenLinks: "encounters.links=16"
        case .sonarListens: "schemes.sonar=listen"
        case .sonarOn: "schemes.sonar=on"
        case .covidTracerListens: "schemes.covid_tracer=listen"
        case .covidTracerOn: "schemes.covid_tracer=on"
        case .bleProximityListens: "schemes.ble_proximity=listen"
        case .bleProximityOn: "schemes.ble_proximity=on"
        case .exposureNotificationListens: "schemes.exposure_notification=listen"
        case .exposureNotificationOn: "schemes.exposure_notification=on"
        case .sharesPayloads: "herald.share_payloads=true"
        case .wakesIPhones: "herald.wake_iphones=true"
        case .asksModel: "herald.ask_model=true"
        case .dropsWeakestLink: "encounters.drop_weakest_link=true"
        case .refusesSecondDisable, .wantsParametersFirst, .rolesByTurns, .oneLinkAtATime, .oneLink,
            .tenLinks, .oneShortBuffer, .longBuffers, .version5,
            .reportsTogether, .resolvedAddresses, .retention, .neighbour, .restlessPhones, .writesFragments,
            .writesPrepared, .operatorSends, .overwritableMedium, .longRadioFaults:
            nil
        }
    }

    func change(_ profile: inout ControllerProfile) {
        switch self {
        case .rolesByTurns: profile.sharesRoles = false
        case .oneLinkAtATime: profile.isConnectableBesideLinks = false
        case .oneLink: profile.linkLimit = 1
        case .tenLinks: profile.linkLimit = 10
        case .oneShortBuffer: profile.aclPacketCount = 1
        case .longBuffers:
            profile.aclPacketCount = 15
            profile.aclByteCount = 251
        case .version5, .extendedFeatureOnly, .falseExtendedCommands: profile.version = 9
        case .extendedCommands:
            profile.version = 9
            profile.hasExtendedCommands = true
        case .reportsTogether: profile.reportsPerEvent = 8
        case .resolvedAddresses: profile.resolvesAddresses = true
        case .refusesSecondDisable: profile.refusesSecondDisable = true
        case .wantsParametersFirst: profile.wantsParametersFirst = true
        default: break
        }
    }

    /// What the controller says of its extended commands.
    var claim: ExtendedCommandClaim? {
        switch self {
        case .extendedFeatureOnly: .featureAlone
        case .falseExtendedCommands: .featureAndCommands
        default: nil
        }
    }

    /// Phones of the scheme that it is about.
    var phoneKinds: [SchemePhoneKind] {
        switch self {
        case .sonarListens, .sonarOn: [.sonarIPhone, .sonarAndroid]
        case .covidTracerListens, .covidTracerOn: [.covidTracer]
        case .bleProximityListens, .bleProximityOn: [.bleProximity]
        default: []
        }
    }

    /// Phones with Herald that there are because of it.
    var guests: [PhoneKind] {
        switch self {
        case .sharesPayloads: [.backgroundIPhone, .android, .android]
        case .wakesIPhones: [.backgroundIPhone]
        case .asksModel: [.named, .named]
        case .dropsWeakestLink: [.frequent, .frequent, .frequent, .frequent]
        case .restlessPhones: [.restless, .restlessLegacy]
        case .writesFragments: [.fragmenting]
        case .writesPrepared: [.preparing]
        default: []
        }
    }

    var isOfExposureNotification: Bool {
        self == .exposureNotificationListens || self == .exposureNotificationOn
    }
}
