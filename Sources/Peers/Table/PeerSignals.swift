/// The characteristic with which a peer takes what others write. It tells Android phones from iPhones.
public enum SignalCharacteristic: UInt8, BitwiseCopyable, Sendable {
    /// Nobody has looked yet.
    case unknown
    case absent
    /// Android phones', and boards'.
    case compliant
    /// iPhones'.
    case nonCompliant
}

/// What we tell a peer by writing to it, and when.
struct PeerSignals: BitwiseCopyable {
    /// Of the peer that this is about.
    var key: UInt64 = 0
    var characteristic = SignalCharacteristic.unknown
    /// Writes, or attempts at them, that came to nothing since the last that did not.
    var failures: UInt8 = 0
    var isModelAsked = false
    /// It has left our last question for its MTU unanswered until the link ended.
    var isSilentToMTU = false
    /// Of our payload that it was told last; 0: of none.
    var toldDigest: UInt32 = 0
    /// After a failure, nothing before this time.
    var pausedUntilMilliseconds: UInt64 = 0
    var nextReadingMilliseconds: UInt64 = 0
    var nextSharingMilliseconds: UInt64 = 0
    /// A minute after it last took, or wrote, anything.
    var nextWakeMilliseconds: UInt64 = 0

    static let shortestPauseMilliseconds: UInt64 = 15_000
    static let longestPauseMilliseconds: UInt64 = 600_000

    mutating func fail(nowMilliseconds now: UInt64, jitter: UInt64) {
        let pause = Backoff.pauseMilliseconds(
            from: Self.shortestPauseMilliseconds, through: Self.longestPauseMilliseconds, failures: failures,
            jitter: jitter)
        failures = failures < .max ? failures + 1 : failures
        pausedUntilMilliseconds = now + pause
    }

    /// The same device was known under another address, and was told these things there.
    mutating func absorb(from earlier: PeerSignals) {
        if characteristic == .unknown { characteristic = earlier.characteristic }
        if toldDigest == 0 { toldDigest = earlier.toldDigest }
        isModelAsked = isModelAsked || earlier.isModelAsked
        nextReadingMilliseconds = max(nextReadingMilliseconds, earlier.nextReadingMilliseconds)
        nextSharingMilliseconds = max(nextSharingMilliseconds, earlier.nextSharingMilliseconds)
        nextWakeMilliseconds = max(nextWakeMilliseconds, earlier.nextWakeMilliseconds)
    }
}

/// What a peer is to be told next.
public enum WriteBack: BitwiseCopyable, Equatable, Sendable {
    case payload
    /// How we hear it.
    case reading
    /// Payloads of others.
    case sharing
    /// Nothing: an empty write, so that an iPhone's app in the background is woken.
    case wake
}

/// What we tell peers at all.
public struct WriteBackRules: BitwiseCopyable, Equatable, Sendable {
    /// Stands for our own payload, see ``Recorder/digest(_:)``; 0: we are nobody, and tell nothing.
    public var ownDigest: UInt32
    /// We advertise, so phones come to us for our payload. Android phones that are told something by writing never come
    /// again (X6), so only iPhones are told.
    public var isVisible: Bool
    /// How often a peer near by is told how we hear it.
    public var readingIntervalMilliseconds: UInt64
    public var sharesPayloads: Bool
    public var wakesIPhones: Bool

    public init(
        ownDigest: UInt32, isVisible: Bool, readingIntervalMilliseconds: UInt64, sharesPayloads: Bool,
        wakesIPhones: Bool = false
    ) {
        self.ownDigest = ownDigest
        self.isVisible = isVisible
        self.readingIntervalMilliseconds = readingIntervalMilliseconds
        self.sharesPayloads = sharesPayloads
        self.wakesIPhones = wakesIPhones
    }

    /// Shortest time between two sharings with one peer, and how lately somebody must have been heard to be shared.
    static let sharingIntervalMilliseconds: UInt64 = 15_000
    static let sharedAgeMilliseconds: UInt64 = 300_000
    /// An iPhone that has been silent for this long is woken, as iPhones do among themselves.
    static let silenceMilliseconds: UInt64 = 60_000

    /// What is due to a peer, as far as the peer goes.
    func due(_ signals: PeerSignals, nowMilliseconds now: UInt64) -> WriteBack? {
        guard ownDigest != 0, now >= signals.pausedUntilMilliseconds else { return nil }
        switch signals.characteristic {
        case .unknown, .absent: return nil
        case .compliant: if isVisible { return nil }
        case .nonCompliant: break
        }
        if signals.toldDigest != ownDigest { return .payload }
        if !isVisible, now >= signals.nextReadingMilliseconds { return .reading }
        if sharesPayloads, signals.characteristic == .nonCompliant, now >= signals.nextSharingMilliseconds {
            return .sharing
        }
        if wakesIPhones, signals.characteristic == .nonCompliant, now >= signals.nextWakeMilliseconds {
            return .wake
        }
        return nil
    }
}
