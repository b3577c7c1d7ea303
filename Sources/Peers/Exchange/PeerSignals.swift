import FixedMemory

/// The kind of a peer's signal characteristic, to which others write. It distinguishes Android phones from
/// iPhones.
public enum SignalCharacteristic: UInt8, BitwiseCopyable, Sendable {
    /// No link has searched for it yet.
    case unknown
    case absent
    /// Android phones and boards have this one.
    case compliant
    /// iPhones have this one.
    case nonCompliant
}

/// The state of our writes to a peer.
struct PeerSignals: BitwiseCopyable {
    /// The key of the peer that this belongs to.
    var key: UInt64 = 0
    var characteristic = SignalCharacteristic.unknown
    /// The number of writes, or attempts at them, that failed since the last success.
    var failures: UInt8 = 0
    var isModelAsked = false
    /// Whether the last link ended before the peer answered our MTU request.
    var isSilentToMTU = false
    /// The digest of our payload that the peer received last; 0 if it received none.
    var writtenDigest: UInt32 = 0
    /// The end of the back-off after a failure.
    var pausedUntil = Instant.start
    var nextReading = Instant.start
    var nextSharing = Instant.start
    /// A minute after the peer last acknowledged or wrote anything.
    var nextWake = Instant.start

    static let shortestPause = Interval.seconds(15)
    static let longestPause = Interval.minutes(10)

    /// - Parameter isLasting: whether the peer has refused the write in a way that will repeat.
    mutating func fail(isLasting: Bool = false, now: Instant, jitter: UInt64) {
        let pause = Backoff.pause(
            from: Self.shortestPause, through: Self.longestPause, failures: failures, jitter: jitter)
        failures = failures < .max ? failures + 1 : failures
        pausedUntil = now + (isLasting ? Exchange.refusalPause : pause)
    }

    /// Takes over the state that the same device had under another address.
    mutating func absorb(from earlier: PeerSignals) {
        if characteristic == .unknown { characteristic = earlier.characteristic }
        if writtenDigest == 0 { writtenDigest = earlier.writtenDigest }
        isModelAsked = isModelAsked || earlier.isModelAsked
        nextReading = max(nextReading, earlier.nextReading)
        nextSharing = max(nextSharing, earlier.nextSharing)
        nextWake = max(nextWake, earlier.nextWake)
    }
}

/// The write that a peer gets next.
public enum WriteBack: BitwiseCopyable, Equatable, Sendable {
    case payload
    /// How strongly we hear the peer.
    case reading
    /// Payloads of other devices.
    case sharing
    /// An empty write, which wakes an iPhone's app in the background.
    case wake
}

/// The kinds of writes that the configuration and our visibility allow.
public struct WriteBackRules: BitwiseCopyable, Equatable, Sendable {
    /// The digest of our payload (``IdentityDigest``); 0 without an identity: then the board writes nothing.
    public var ownDigest: UInt32
    /// Whether we advertise, so that phones connect to us and read our payload. Android phones never
    /// connect again after a write to them (X6), so the agent writes to iPhones only.
    public var isVisible: Bool
    /// The interval at which the agent writes to a peer near by how strongly it hears it.
    public var readingInterval: Interval
    public var sharesPayloads: Bool
    public var wakesIPhones: Bool

    public init(
        ownDigest: UInt32, isVisible: Bool, readingInterval: Interval, sharesPayloads: Bool,
        wakesIPhones: Bool = false
    ) {
        self.ownDigest = ownDigest
        self.isVisible = isVisible
        self.readingInterval = readingInterval
        self.sharesPayloads = sharesPayloads
        self.wakesIPhones = wakesIPhones
    }

    /// The shortest time between two sharings with one peer, and the maximum age of the sightings of shared
    /// peers.
    static let sharingInterval = Interval.seconds(15)
    static let sharedAge = Interval.minutes(5)
    /// The silence after which the agent wakes an iPhone, as iPhones do among themselves.
    static let silence = Interval.minutes(1)

    /// The write that is due to the peer, as far as these rules and its state decide.
    func due(_ signals: PeerSignals, now: Instant) -> WriteBack? {
        guard ownDigest != 0, now >= signals.pausedUntil else { return nil }
        switch signals.characteristic {
        case .unknown, .absent: return nil
        case .compliant: if isVisible { return nil }
        case .nonCompliant: break
        }
        if signals.writtenDigest != ownDigest { return .payload }
        if !isVisible, now >= signals.nextReading { return .reading }
        if sharesPayloads, signals.characteristic == .nonCompliant, now >= signals.nextSharing {
            return .sharing
        }
        if wakesIPhones, signals.characteristic == .nonCompliant, now >= signals.nextWake {
            return .wake
        }
        return nil
    }
}
