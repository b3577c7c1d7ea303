import Agent
import Configuration
import EncounterLog
import FixedMemory
import FlashSimulator
import HCI
import Schemes

/// The hardware and settings of a board.
public struct BoardSetup: Sendable {
    /// Settings as on the command line: `section.key=value`.
    public var options = ["herald.location=123456"]
    /// The root secrets of the board's identities in schemes other than Herald.
    public var schemes = SchemeSettings()
    /// The root of the daily CovidTracer keys. The simulated owner holds it; the board only receives day
    /// keys.
    public var covidTracerRoot: CovidTracerRootKey?
    public var controller = ControllerProfile()
    public var transport = HCITransport.Kind.packets
    public var place = Route(standingAt: Position(0, 0))
    public var blockByteCount = 1_024
    public var blocksPerSegment = 8
    public var segmentCount = 256
    /// Whether the log is a preallocated file that is written over, as on every board image
    /// (packaging/tabard/tabard.toml). Otherwise the log is on flash, which must be erased before each write.
    public var isOverwritable = true
    /// Whether the board has an owner key and seals its log. Sealing needs blocks of at least 1,024 bytes.
    public var isSealed = false
    public var driftPPM: Int64 = 0
    /// Whether the board can switch the radio's power.
    public var hasRadioPower = true
    /// The time of a step, and of each packet in it, on the slowest board. An agent that always asks for
    /// another step therefore cannot stop time.
    public var stepDuration = SimulatedDuration.microseconds(50)
    public var packetDuration = SimulatedDuration.microseconds(20)
    /// The delay before a supervisor starts an agent that ended, as systemd does; nil if the agent stays
    /// ended.
    public var restartDelay: SimulatedDuration? = .seconds(5)
    /// Whether the board immediately restarts an agent that has ended because its configuration was set.
    public var restartsWhenConfigured = true
    /// The identity of a new log, and the identifier of the next boot; nil if they are drawn from the seed.
    public var logIdentity: Bytes<16>?
    public var bootIdentifier: UInt64?

    /// The configuration that ``options`` give, if it was read before: reading takes longer than a short run.
    package var preparedConfiguration: EffectiveConfiguration?
    /// The number of entries that can wait for the log; nil if the agent's own. A small queue is cleared
    /// faster.
    package var entryCapacity: Int?

    public init() {}

    /// The configuration that the settings give, before any change over the cable.
    func configuration() throws(ConfigurationError) -> EffectiveConfiguration {
        if let preparedConfiguration { return preparedConfiguration }
        var configuration = EffectiveConfiguration()
        for option in options {
            try configuration.apply(Array(option.utf8).span, from: .file(line: 1))
        }
        return configuration
    }

    /// Gives the board the secrets that an authority and an owner provide for schemes other than Herald.
    public mutating func provideSchemes(drawnFrom random: RandomStream) {
        do {
            schemes.sonar = try SonarRegistration(drawnFrom: random.split("Sonar"))
        } catch {
            preconditionFailure("no keys: \(error)")
        }
        var random = random
        covidTracerRoot = CovidTracerRootKey(random.bytes())
    }
}
