import Agent
import Configuration
import Cryptography
import EncounterLog
import FixedMemory
import FlashSimulator
import HCI
import Schemes
import Simulator
import TestSupport

/// The kind of a fuzzed board; these options can be combined.
struct FuzzBoard: OptionSet {
    let rawValue: UInt8

    /// A wearable instead of a beacon.
    static let isWearable = FuzzBoard(rawValue: 1)
    /// The agent listens to every other scheme, and advertises each one that needs no registration. Optional
    /// features are switched on.
    static let hasExtras = FuzzBoard(rawValue: 2)
    static let usesExtendedCommands = FuzzBoard(rawValue: 4)
    /// The agent has keys and seals its log. Its owner key is ``ownerKeyPair``.
    static let isSealed = FuzzBoard(rawValue: 8)
    /// The log is a file that is written over instead of flash that must be erased.
    static let isOverwritable = FuzzBoard(rawValue: 16)
    /// The controller is at the end of a UART instead of a user channel.
    static let hasUART = FuzzBoard(rawValue: 32)
    /// The agent gets no time to bring up its controller before the first action.
    static let isBeginning = FuzzBoard(rawValue: 64)

    nonisolated(unsafe) static let ownerKeyPair = try? OwnerKeyPair(entropy: source.entropy)
    nonisolated(unsafe) private static let source = SeededEntropy(RandomStream(seed: 1))
    private static let boardKeys: BoardKeys? = {
        guard let ownerKeyPair, var keys = try? BoardKeys(entropy: source.entropy) else { return nil }
        keys.publicHalves.ownerKey = ownerKeyPair.publicKey
        return keys
    }()
    /// The configurations are read once, because reading one takes longer than most inputs.
    private static let configurations = (0..<8).map { FuzzBoard(rawValue: $0).readConfiguration() }
    /// 2027-01-15, the first day of a board with a clock.
    private static let firstDay: UInt32 = 20_833
    private static let dayKeyRecords: [SchemeID: [UInt8]] = {
        let secret = [UInt8](repeating: 0, count: HeraldKeySchedule.secretByteCount)
        let schedule = HeraldKeySchedule(secret: secret.span, epochDay: firstDay)
        let count = DayKeys.maximumDayCount
        var herald = try? DayKeysJob(schedule, firstDay: firstDay, dayCount: count)
        var covidTracer = DayKeysJob(CovidTracerRootKey(Bytes()), firstDay: firstDay, dayCount: count)
        let keys = [herald?.advance(hashLimit: .max), covidTracer.advance(hashLimit: .max)]
        return Dictionary(
            uniqueKeysWithValues: keys.compactMap(\.self).map { ($0.scheme, $0.record.span.array) })
    }()

    private var options: [String] {
        var options = ["encounters.peers=16", "encounters.links=2", "encounters.sample_seconds=1"]
        options.append(contains(.isWearable) ? "agent.role=\"wearable\"" : "herald.location=1")
        if contains(.hasExtras) {
            options += ["herald.share_payloads", "herald.ask_model", "herald.wake_iphones"].map {
                "\($0)=true"
            }
            options += ["encounters.drop_weakest_link=true", "encounters.raw=true"]
            options += ["covid_tracer", "ble_proximity", "exposure_notification"].map { "schemes.\($0)=on" }
            options += ["schemes.sonar=listen", "schemes.other=listen"]
        }
        if contains(.usesExtendedCommands) { options.append("radio.extended_commands=true") }
        return options
    }

    private func readConfiguration() -> EffectiveConfiguration? {
        var configuration = EffectiveConfiguration()
        for option in options {
            guard (try? configuration.apply(Array(option.utf8).span)) != nil else { return nil }
        }
        return configuration
    }

    /// - Parameter habits: A bit for each habit of the controller.
    func setup(habits: UInt8) -> BoardSetup {
        var setup = BoardSetup()
        setup.preparedConfiguration = Self.configurations[Int(rawValue & 7)]
        // With this capacity nothing is dropped; clearing a larger queue would only take time.
        setup.entryCapacity = 256
        setup.blocksPerSegment = 4
        setup.segmentCount = 4
        setup.isOverwritable = contains(.isOverwritable)
        setup.transport = contains(.hasUART) ? .stream : .packets
        setup.restartDelay = .milliseconds(100)
        setup.controller.hasExtendedCommands = contains(.usesExtendedCommands)
        setup.controller.reportsPerEvent = habits & 1 == 0 ? 1 : 4
        setup.controller.sharesRoles = habits & 2 == 0
        setup.controller.isConnectableBesideLinks = habits & 4 == 0
        setup.controller.takesDataWhileAdvertising = habits & 8 == 0
        setup.controller.refusesSecondDisable = habits & 16 != 0
        setup.controller.wantsParametersFirst = habits & 32 != 0
        setup.controller.version = habits & 64 == 0 ? 9 : 7
        setup.hasRadioPower = habits & 128 == 0
        return setup
    }

    func fill(_ store: BoardStore) {
        store.keys = contains(.isSealed) ? Self.boardKeys : nil
        store.dayKeyRecords = Self.dayKeyRecords
    }

    func setWallClock(_ clock: BoardClock) {
        guard contains(.isWearable) else { return }
        clock.setWallClock(
            WallClockTime(milliseconds: UInt64(Self.firstDay) * 86_400_000 + 28_800_000),
            errorMilliseconds: 1_000)
    }
}
