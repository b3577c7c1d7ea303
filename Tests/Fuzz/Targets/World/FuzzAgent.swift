import Agent
import Configuration
import Cryptography
import EncounterLog
import FixedMemory
import HCI
import Radio
import TestSupport

/// The configuration of a fuzzed agent; these options can be combined.
struct FuzzAgent: OptionSet {
    let rawValue: UInt8

    /// A wearable instead of a beacon.
    static let isWearable = FuzzAgent(rawValue: 1)
    /// The agent listens to every other scheme, and advertises each one that needs no registration. Optional
    /// features are switched on.
    static let hasExtras = FuzzAgent(rawValue: 2)
    static let usesExtendedCommands = FuzzAgent(rawValue: 4)
    /// The agent has keys and seals its log. Its owner key is ``ownerKeyPair``.
    static let isSealed = FuzzAgent(rawValue: 8)

    nonisolated(unsafe) static let ownerKeyPair = try? OwnerKeyPair(entropy: source.entropy)
    nonisolated(unsafe) private static let source = FuzzEntropy()
    private static let boardKeys: BoardKeys? = {
        guard let ownerKeyPair, var keys = try? BoardKeys(entropy: source.entropy) else { return nil }
        keys.publicHalves.ownerKey = ownerKeyPair.publicKey
        return keys
    }()
    /// The settings are made once, because reading a configuration takes longer than most inputs.
    private static let settings = (0..<16).map { FuzzAgent(rawValue: $0).readSettings() }

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

    private func readSettings() -> AgentSettings? {
        var configuration = EffectiveConfiguration()
        for option in options {
            let bytes = Array(option.utf8)
            guard (try? configuration.apply(bytes.span)) != nil else { return nil }
        }
        var settings = try? AgentSettings(
            configuration.values, logIdentity: Bytes<16>(), softwareVersion: Bytes<3>())
        // With this capacity nothing is dropped; clearing a larger table would only take time.
        settings?.recorder.entryCapacity = 256
        settings?.keys = contains(.isSealed) ? Self.boardKeys : nil
        return settings
    }

    func make(_ world: FuzzWorld) -> Agent<FuzzPlatform>? {
        guard let settings = Self.settings[Int(rawValue & 15)] else { return nil }
        if contains(.isWearable) { world.wallClockOffset = 1_800_000_000_000 }
        let entropy = world.entropy.entropy
        do {
            let log = try EncounterLog(
                mounting: FuzzFlash(world: world), newLogIdentity: Bytes<16>(), bootIdentifier: 9,
                seal: settings.keys?.logSeal(entropy: entropy))
            return try Agent(
                settings: settings, clock: FuzzClock(world: world), board: FuzzBoard(world: world),
                radio: FuzzRadio(world), serial: FuzzSerial(world: world),
                random: FuzzRandom(world: world), log: log)
        } catch {
            return nil
        }
    }
}
