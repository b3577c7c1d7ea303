import FlashSimulator

/// A feature that some worlds have and most have not, beside numbers and faults: a controller with other
/// behaviour, other settings of the agent, or other devices in the room. Options of different groups may be
/// combined.
public enum WorldOption: String, Hashable, Sendable, CaseIterable {
    // The controller (``ControllerProfile``).
    /// The controller scans or advertises, not both at the same time.
    case rolesByTurns
    /// The controller accepts no connection beside an existing one.
    case oneLinkAtATime
    /// The controller has this many links at most.
    case oneLink, tenLinks
    /// Buffers for data: one packet of the shortest length, or many of the longest.
    case oneShortBuffer, longBuffers
    /// The controller's version is that of Bluetooth 5.0.
    case version5
    /// The controller has the extended commands, and the agent is set to use them.
    case extendedCommands
    /// The agent is set to use the extended commands, but the controller only claims to have them: by its
    /// feature alone, or by feature and commands.
    case extendedFeatureOnly, falseExtendedCommands
    /// The controller reports several adverts in one event, a little later.
    case reportsTogether
    /// The controller reports some addresses as those of resolved identities (types 2 and 3).
    case resolvedAddresses
    /// The controller refuses to disable what is already off (0x0C).
    case refusesSecondDisable
    /// The controller starts nothing before its parameters were set (0x12).
    case wantsParametersFirst
    /// The controller accepts scan parameters while it scans, so nothing proves its scan.
    case takesParametersWhileScanning

    // The agent's settings.
    case wearable
    /// The board does not advertise, and writes its identity to phones.
    case silent
    case rawReadings
    /// `encounters.links`.
    case keepsOneLink, keepsSixteenLinks
    /// `log.retention_days`, on a board whose clock was some days early at first. The run is three times as
    /// long.
    case retention
    /// The other schemes. The board records their phones, or also has an identity in them.
    case sonarListens, sonarOn
    case covidTracerListens, covidTracerOn
    case bleProximityListens, bleProximityOn
    case exposureNotificationListens, exposureNotificationOn
    /// The board shares payloads it has heard with iPhones; it wakes them; it asks phones for their model.
    /// With `dropsWeakestLink` it ends the weakest link instead of the oldest, and has two links by
    /// default. Each option brings phones that it applies to.
    case sharesPayloads, wakesIPhones, asksModel, dropsWeakestLink
    /// `radio.duty`: the board listens less while nobody is near.
    case balancedDuty, saverDuty

    // Other devices in the room.
    /// A second board with a whole agent, whose power comes and goes.
    case neighbour
    /// Phones with addresses that last for seconds or minutes, and with a pseudo device address, in its
    /// current and its older form.
    case restlessPhones
    /// Phones that write their identity, signal strength, shared payloads and messages, in writes of 20
    /// bytes or as prepared writes.
    case writesFragments, writesPrepared
    /// The operator comes often, and sends messages through the board.
    case operatorSends

    // The medium.
    /// The log is in a file or on a block device, and is overwritten. Otherwise it is on flash, which must
    /// be erased.
    case overwritableMedium

    // The faults.
    /// Radio faults last longer than the agent waits for its radio (`radio.give_up_minutes`), and longer
    /// than it takes to assume an empty room. A closed adapter may also be gone when the agent reopens it.
    case longRadioFaults

    /// Groups of options. Each group contributes at most one option, with the given probability.
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

    /// Groups that were added later. Their own stream keeps the earlier draws of each seed.
    private static let laterGroups: [(chance: Double, options: [WorldOption])] = [
        (0.12, [.sharesPayloads]), (0.12, [.wakesIPhones]), (0.12, [.asksModel]), (0.12, [.dropsWeakestLink]),
        (0.16, [.restlessPhones]), (0.12, [.writesFragments]), (0.12, [.writesPrepared]),
        (0.16, [.operatorSends]), (0.16, [.longRadioFaults]), (0.3, [.balancedDuty, .saverDuty]),
    ]

    /// The claims, drawn from another stream unless the agent uses the extended commands already.
    private static let claims: (chance: Double, options: [WorldOption]) = (
        0.12, [.extendedFeatureOnly, .falseExtendedCommands]
    )

    private static let controllerGroups: [(chance: Double, options: [WorldOption])] = [
        (0.25, [.refusesSecondDisable]), (0.25, [.wantsParametersFirst]),
        (0.2, [.takesParametersWhileScanning]),
    ]

    /// The media have a stream of their own, and apply also to worlds without other options, because
    /// neither medium is the usual one.
    private static let mediumGroups: [(chance: Double, options: [WorldOption])] = [
        (0.5, [.overwritableMedium])
    ]

    /// The probability that a world has none of the first groups' options.
    private static let plainChance = 0.15

    static func draw(_ random: inout RandomStream) -> Set<WorldOption> {
        random.chance(plainChance) ? [] : draw(&random, of: groups)
    }

    /// Draws from the later groups. A world without options stays without.
    static func drawLater(_ random: inout RandomStream, besides drawn: Set<WorldOption>) -> Set<WorldOption> {
        drawn.isEmpty ? [] : draw(&random, of: laterGroups)
    }

    /// Draws a false claim of the controller.
    static func drawClaim(_ random: inout RandomStream, besides drawn: Set<WorldOption>) -> Set<WorldOption> {
        drawn.isEmpty || drawn.contains(.extendedCommands) ? [] : draw(&random, of: [claims])
    }

    /// Draws further refusals of the controller. They were added later, and have a stream of their own.
    static func drawController(
        _ random: inout RandomStream, besides drawn: Set<WorldOption>
    ) -> Set<WorldOption> {
        drawn.isEmpty ? [] : draw(&random, of: controllerGroups)
    }

    /// Draws the log's medium.
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

    /// The option's setting for the agent, as on the command line.
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
        case .balancedDuty: BoardDuty.balanced.setting
        case .saverDuty: BoardDuty.saver.setting
        case .refusesSecondDisable, .wantsParametersFirst, .takesParametersWhileScanning, .rolesByTurns,
            .oneLinkAtATime, .oneLink,
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
        case .takesParametersWhileScanning: profile.takesParametersWhileScanning = true
        default: break
        }
    }

    /// The controller's claim about its extended commands.
    var claim: ExtendedCommandClaim? {
        switch self {
        case .extendedFeatureOnly: .featureAlone
        case .falseExtendedCommands: .featureAndCommands
        default: nil
        }
    }

    /// The phones of the option's scheme.
    var phoneKinds: [SchemePhoneKind] {
        switch self {
        case .sonarListens, .sonarOn: [.sonarIPhone, .sonarAndroid]
        case .covidTracerListens, .covidTracerOn: [.covidTracer]
        case .bleProximityListens, .bleProximityOn: [.bleProximity]
        default: []
        }
    }

    /// The Herald phones that the option brings.
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
