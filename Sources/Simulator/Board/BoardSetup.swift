import Agent
import Configuration
import EncounterLog
import FlashSimulator
import HCI
import Schemes

/// What a board is made of.
public struct BoardSetup: Sendable {
    /// Settings as on the command line: `section.key=value`.
    public var options = ["herald.location=123456"]
    /// What its identities in other schemes than Herald follow from.
    public var schemes = SchemeSettings()
    /// What keys of its days follow from in CovidTracer. Nobody has given it to the board.
    public var covidTracerRoot: CovidTracerRootKey?
    public var controller = ControllerProfile()
    public var transport = HCITransport.Kind.packets
    public var place = Route(standingAt: Position(0, 0))
    public var blockByteCount = 1_024
    public var blocksPerSegment = 8
    public var segmentCount = 256
    /// Its log stands in a preallocated file, as that of every board that is built (boards/common/tabard.toml), and is written
    /// over; else on flash, which is erased.
    public var isOverwritable = true
    /// Whether it has an opening key, for which its log is sealed. Takes blocks of 1024 bytes at least.
    public var isSealed = false
    public var driftPPM: Int64 = 0
    /// Whether the radio's power can be switched.
    public var hasRadioPower = true
    /// What a step takes, and each packet in it, on the slowest board, so that an agent with endless work does not stop time.
    public var stepDuration = SimulatedDuration.microseconds(50)
    public var packetDuration = SimulatedDuration.microseconds(20)
    /// As systemd does; nil: an agent that has ended stays so.
    public var restartDelay: SimulatedDuration? = .seconds(5)

    public init() {}

    /// What its settings come to, before anybody has changed them.
    func configuration() throws(ConfigurationError) -> EffectiveConfiguration {
        var configuration = EffectiveConfiguration()
        for option in options {
            try configuration.apply(Array(option.utf8).span, from: .file(line: 1))
        }
        return configuration
    }

    /// Gives it what an authority and its owner do: what its identities in other schemes follow from.
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
