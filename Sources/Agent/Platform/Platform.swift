import Cryptography
import EncounterLog
import FixedMemory
import Radio
import Schemes

/// The seam between the agent and whatever it runs on: six members. Linux implements them with descriptors,
/// the simulator with a seed; the agent is the same.
public protocol Platform {
    associatedtype Clock: AgentClock
    associatedtype Radio: PacketRadio, ~Copyable
    associatedtype Flash: FlashDevice, ~Copyable
    associatedtype Serial: SerialPort, ~Copyable
    associatedtype Randomness: RandomSource
    associatedtype Board: BoardControl
}

/// Monotonic time, and wall time where it is known.
public protocol AgentClock {
    /// Never steps, and goes on while the board sleeps.
    var now: Instant { get }

    /// The wall-clock time; nil while nobody has set the clock.
    var wallClock: WallClockReading? { get }
}

public struct WallClockReading: BitwiseCopyable, Sendable {
    public let time: WallClockTime
    /// The clock may be off by this much either way; `UInt32.max` if nobody can say.
    public let errorMilliseconds: UInt32

    /// 2024-01-01: a clock before that has never been set.
    public static let earliestPlausible = WallClockTime(days: 19_723)

    public init(time: WallClockTime, errorMilliseconds: UInt32) {
        self.time = time
        self.errorMilliseconds = errorMilliseconds
    }
}

/// Unpredictable numbers.
public protocol RandomSource {
    mutating func next() -> UInt64

    /// The same, as a source of keys.
    var entropy: Entropy { get }
}

extension RandomSource {
    public var entropy: Entropy { .system }
}

extension BoardControl {
    public mutating func report(_ notice: RadioNotice) { report(.radio(notice)) }

    /// A board that has nowhere to keep keys cannot be provisioned.
    public mutating func store(_ keys: BoardKeys) -> Bool { false }

    /// A board that has nowhere to keep a configuration cannot be configured over the cable.
    public mutating func store(configuration changes: Span<UInt8>) -> Bool { false }

    /// A board that has nowhere to keep secrets is nobody where identities follow from them.
    public mutating func store(_ keys: DayKeys) -> Bool { false }

    public mutating func dayKey(of scheme: SchemeID, on day: UInt32) -> DayKeyOffer? { nil }

    public mutating func store(sonarRegistration record: Span<UInt8>) -> Bool { false }
}

/// The board itself.
public protocol BoardControl: RadioBoard {
    /// Somebody wants the agent to end.
    var isStopRequested: Bool { get }

    /// Keeps the keys, on the medium before it returns.
    /// - Returns: whether it did.
    mutating func store(_ keys: BoardKeys) -> Bool

    /// Keeps what of the configuration was set over the cable, instead of what was kept before, on the
    /// medium before it returns.
    /// - Returns: whether it did.
    mutating func store(configuration changes: Span<UInt8>) -> Bool

    /// Keeps days' keys, joined to those that there are (``DayKeys/joined(by:)``), on the medium before it
    /// returns.
    /// - Returns: whether it did.
    mutating func store(_ keys: DayKeys) -> Bool

    /// What there is for `day`. Keys of days before it are gone from the medium before this returns.
    /// - Returns: nil if that failed, or if the board can keep none.
    mutating func dayKey(of scheme: SchemeID, on day: UInt32) -> DayKeyOffer?

    /// Keeps a registration with Sonar's authority, a ``SonarRegistrationRecord``, likewise.
    mutating func store(sonarRegistration record: Span<UInt8>) -> Bool

    /// Reports an event to the operator.
    mutating func report(_ notice: AgentNotice)

    /// Writes the reason that a client gets for a refusal.
    func explain(_ refusal: StoreRefusal, to reason: inout FixedBuffer<1024>)
}
