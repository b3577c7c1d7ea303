/// How far we are with reading a peer's identity: asked once, and again only after failures, ever more rarely.
public struct Exchange: BitwiseCopyable, Sendable {
    public enum Progress: UInt8, BitwiseCopyable, Sendable {
        /// Not read yet.
        case needed
        /// A connection for it is being made or used.
        case running
        /// Read: never again for this address (HP-C21).
        case done
    }

    public internal(set) var progress = Progress.needed
    public internal(set) var failures: UInt8 = 0
    /// What the bytes of the identity come to, so that few peers are compared byte by byte.
    var identityDigest: UInt32 = 0
    /// Not before this time: the next attempt, or, once read, another identity.
    public internal(set) var nextAttemptMilliseconds: UInt64 = 0

    /// The pause after the first failure, doubled with each further one up to the longest.
    static let shortestPauseMilliseconds: UInt64 = 2_000
    static let longestPauseMilliseconds: UInt64 = 600_000
    /// After a device turned out not to speak any of our protocols: an app may be started there, but seldom. An iPhone's
    /// address lasts a quarter of an hour, so each is probed twice under one, and at most that.
    static let unsupportedPeerPauseMilliseconds: UInt64 = 300_000
    static let longestStrangerPauseMilliseconds: UInt64 = 3_600_000

    /// A peer may change its identity once in this time. Herald's last for minutes; whoever writes us a new one at each
    /// turn wants to fill our log.
    static let changePauseMilliseconds: UInt64 = 60_000

    /// An identity has come.
    mutating func succeed(nowMilliseconds: UInt64) {
        progress = .done
        nextAttemptMilliseconds = nowMilliseconds + Self.changePauseMilliseconds
    }

    /// The peer has said who it is some other way, and is asked again then. Nothing changes where it was read.
    mutating func rest(untilMilliseconds end: UInt64) {
        guard progress != .done else { return }
        progress = .needed
        nextAttemptMilliseconds = end
    }

    /// An identity that has come some other way meanwhile stays.
    mutating func fail(nowMilliseconds: UInt64, jitter: UInt64, isUnsupported: Bool = false) {
        guard progress != .done else { return }
        let pause = Backoff.pauseMilliseconds(
            from: isUnsupported ? Self.unsupportedPeerPauseMilliseconds : Self.shortestPauseMilliseconds,
            through: isUnsupported ? Self.longestStrangerPauseMilliseconds : Self.longestPauseMilliseconds,
            failures: failures, jitter: jitter)
        progress = .needed
        failures = failures < .max ? failures + 1 : failures
        nextAttemptMilliseconds = nowMilliseconds + pause
    }
}
