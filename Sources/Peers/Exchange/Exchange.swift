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
    public internal(set) var nextAttemptMilliseconds: UInt64 = 0

    /// The pause after the first failure; it doubles with each further one, up to the longest.
    static let shortestPauseMilliseconds: UInt64 = 2_000
    static let longestPauseMilliseconds: UInt64 = 600_000
    /// The pause after a device proved to be an unsupported peer. An app may start there, but seldom. An
    /// iPhone's address lasts a quarter of an hour, so the agent probes it at most twice under each
    /// address.
    static let unsupportedPeerPauseMilliseconds: UInt64 = 300_000
    static let longestUnsupportedPeerPauseMilliseconds: UInt64 = 3_600_000

    /// The time within which a peer may change its identity once. Herald's identities last for minutes; a
    /// peer that writes a new one each time would fill our log.
    static let changePauseMilliseconds: UInt64 = 60_000

    /// Records that the identity has arrived.
    mutating func succeed(nowMilliseconds: UInt64) {
        progress = .done
        nextAttemptMilliseconds = nowMilliseconds + Self.changePauseMilliseconds
    }

    /// Postpones the next read, because the peer has given an identity in another scheme. No effect if
    /// Herald's was read.
    mutating func rest(untilMilliseconds end: UInt64) {
        guard progress != .done else { return }
        progress = .needed
        nextAttemptMilliseconds = end
    }

    /// Records a failed attempt and sets the back-off. An identity that arrived meanwhile stays.
    mutating func fail(nowMilliseconds: UInt64, jitter: UInt64, isUnsupported: Bool = false) {
        guard progress != .done else { return }
        let pause = Backoff.pauseMilliseconds(
            from: isUnsupported ? Self.unsupportedPeerPauseMilliseconds : Self.shortestPauseMilliseconds,
            through: isUnsupported
                ? Self.longestUnsupportedPeerPauseMilliseconds : Self.longestPauseMilliseconds,
            failures: failures, jitter: jitter)
        progress = .needed
        failures = failures < .max ? failures + 1 : failures
        nextAttemptMilliseconds = nowMilliseconds + pause
    }
}
