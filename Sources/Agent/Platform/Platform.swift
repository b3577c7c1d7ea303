import Cryptography
import EncounterLog
import FixedMemory
import Radio
import Schemes

/// The seam between the agent and its platform: six members. Linux implements them with descriptors, the
/// simulator with a seed; the agent is the same.
public protocol Platform {
    associatedtype Clock: AgentClock
    associatedtype Radio: PacketRadio, ~Copyable
    associatedtype Flash: FlashDevice, ~Copyable
    associatedtype Serial: SerialPort, ~Copyable
    associatedtype Randomness: RandomSource
    associatedtype Board: BoardControl
}

/// Monotonic time, and wall-clock time if it is known.
public protocol AgentClock {
    /// It never steps, and it advances while the board sleeps.
    var now: Instant { get }

    /// The wall-clock time; nil until the clock is set.
    var wallClock: WallClockReading? { get }
}

public struct WallClockReading: BitwiseCopyable, Sendable {
    public let time: WallClockTime
    /// The largest error of the clock, in either direction; `UInt32.max` if unknown.
    public let errorMilliseconds: UInt32

    /// 2024-01-01. Before that a system clock has not been set: without a battery it starts with the date of
    /// the system's programs.
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

    /// A board without storage for keys cannot be provisioned.
    public mutating func store(_ keys: BoardKeys) -> Bool { false }

    /// A board without storage for a configuration cannot be configured over the cable.
    public mutating func store(configuration changes: Span<UInt8>) -> Bool { false }

    /// A board without a service manager and programs of its own tells nobody.
    public mutating func tell(_ condition: AgentCondition, isWell: Bool, now: Instant) {}
    public mutating func takeRequest() -> BoardRequest? { nil }
    public mutating func answer(_ answer: Span<UInt8>) {}
    public mutating func takeReloadRequest() -> Bool { false }

    /// A board without storage for secrets has no identity in schemes that need them.
    public mutating func store(_ keys: DayKeys) -> Bool { false }

    public mutating func dayKey(
        of scheme: SchemeID, on day: UInt32, erasingBefore current: UInt32
    ) -> DayKeyOffer? { nil }

    public mutating func store(sonarRegistration record: Span<UInt8>) -> Bool { false }
    public mutating func copySecrets(of scheme: SchemeID, to record: inout FixedBuffer<2048>) -> Bool { true }
}

/// The board itself.
public protocol BoardControl: RadioBoard, UpdatableBoard {
    /// Whether a stop was requested.
    var isStopRequested: Bool { mutating get }

    /// Whether the operator has asked the agent to read its configuration anew, since the last call.
    mutating func takeReloadRequest() -> Bool

    /// Tells the board's service manager what the agent does.
    /// - Parameter isWell: false lets the service manager start the agent again, after a while.
    mutating func tell(_ condition: AgentCondition, isWell: Bool, now: Instant)

    /// The next request of a program on the board; nil if there is none.
    mutating func takeRequest() -> BoardRequest?

    /// Answers that program: with the SMP packet of the status, or with a ``BoardAnswer``.
    mutating func answer(_ answer: Span<UInt8>)

    /// Stores the keys. They are on the medium when it returns.
    /// - Returns: whether it did.
    mutating func store(_ keys: BoardKeys) -> Bool

    /// Stores the settings that a client sent over the sync port, in place of earlier ones. They are on the
    /// medium when it returns.
    /// - Returns: whether it did.
    mutating func store(configuration changes: Span<UInt8>) -> Bool

    /// Stores days' keys, joined to the present ones (``DayKeys/joined(by:)``). They are on the medium when
    /// it returns.
    /// - Returns: whether it did.
    mutating func store(_ keys: DayKeys) -> Bool

    /// The key of `day`, and how many days have keys. Keys of days before `current` are off the medium when
    /// it returns. The two days differ while the clock is not confirmed.
    /// - Returns: nil if that failed, or if the board can keep none.
    mutating func dayKey(
        of scheme: SchemeID, on day: UInt32, erasingBefore current: UInt32
    ) -> DayKeyOffer?

    /// Stores a registration with Sonar's authority, a ``SonarRegistrationRecord``, on the medium.
    mutating func store(sonarRegistration record: Span<UInt8>) -> Bool

    /// Copies the stored record of a scheme's secrets: of day keys, or of a registration with Sonar.
    /// - Parameter record: stays empty if there is none.
    /// - Returns: false if it cannot be read.
    mutating func copySecrets(of scheme: SchemeID, to record: inout FixedBuffer<2048>) -> Bool

    /// Reports an event to the operator.
    mutating func report(_ notice: AgentNotice)

    /// Writes the reason that a client gets for a refusal.
    func explain(_ refusal: StoreRefusal, to reason: inout FixedBuffer<1024>)
}
