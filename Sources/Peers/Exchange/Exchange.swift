import FixedMemory

/// The progress of reading a peer's identity: read once, and again only after failures, ever more rarely.
public struct Exchange: BitwiseCopyable, Sendable {
    public enum Progress: UInt8, BitwiseCopyable, Sendable {
        /// Not read yet.
        case needed
        /// The agent is making or using a connection for it.
        case running
        /// Read; the agent never reads it again for this address (HP-C21).
        case done
    }

    public internal(set) var progress = Progress.needed
    public internal(set) var failures: UInt8 = 0
    /// The digest of the identity's bytes, so that few peers are compared byte by byte; 0 while there
    /// is none.
    public internal(set) var identityDigest: UInt32 = 0
    /// The earliest time of the next attempt, or, once read, of another identity.
    public internal(set) var nextAttempt = Instant.start

    /// The pause after the first failure; it doubles with each further one, up to the longest.
    static let shortestPause = Interval.seconds(2)
    static let longestPause = Interval.minutes(10)
    /// The pause after a device proved to be an unsupported peer. An app may start there, but seldom. An
    /// iPhone's address lasts a quarter of an hour, so the agent probes it at most twice under each
    /// address.
    static let unsupportedPeerPause = Interval.minutes(5)
    static let longestUnsupportedPeerPause = Interval.hours(1)

    /// The time within which a peer may change its identity once. Herald's identities last for minutes; a
    /// peer that writes a new one each time would fill our log.
    static let changePause = Interval.minutes(1)

    /// Records that the identity has arrived.
    mutating func succeed(now: Instant) {
        progress = .done
        nextAttempt = now + Self.changePause
    }

    /// Postpones the next read, because the peer has given an identity in another scheme. No effect if
    /// Herald's was read.
    mutating func rest(until end: Instant) {
        guard progress != .done else { return }
        progress = .needed
        nextAttempt = end
    }

    /// Records a failed attempt and sets the back-off. An identity that arrived meanwhile stays.
    mutating func fail(now: Instant, jitter: UInt64, isUnsupported: Bool = false) {
        guard progress != .done else { return }
        let pause = Backoff.pause(
            from: isUnsupported ? Self.unsupportedPeerPause : Self.shortestPause,
            through: isUnsupported
                ? Self.longestUnsupportedPeerPause : Self.longestPause,
            failures: failures, jitter: jitter)
        progress = .needed
        failures = failures < .max ? failures + 1 : failures
        nextAttempt = now + pause
    }
}
