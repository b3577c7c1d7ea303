import FixedMemory

/// The progress of reading a peer's identity. It is read once, after failures ever more rarely, and again
/// each quarter of an hour, because addresses and pseudo addresses can be copied.
public struct Exchange: BitwiseCopyable, Sendable {
    public enum Progress: UInt8, BitwiseCopyable, Sendable {
        /// Not read yet.
        case needed
        /// The agent is making or using a connection for it.
        case running
        /// Read.
        case done
    }

    public internal(set) var progress = Progress.needed
    public internal(set) var failures: UInt8 = 0
    /// Failures over links that the peer opened, or another device under its address. They have a back-off of
    /// their own, so that nobody can keep the agent from connecting to the peer itself.
    private var incomingFailures: UInt8 = 0
    /// Whether the stored identity is one that the peer wrote. Reading continues as if there were none.
    public internal(set) var hasWritten = false
    /// How often in succession a later read found the same identity; at most 4.
    private var confirmations: UInt8 = 0
    /// The digest of the identity's bytes, so that few peers are compared byte by byte; 0 while there
    /// is none.
    public internal(set) var identityDigest: UInt32 = 0
    /// The digest of the written identity that contradicted the one that was read.
    public internal(set) var contradictionDigest: UInt32 = 0
    /// The earliest time of the next attempt, or, once read, of another identity.
    public internal(set) var nextAttempt = Instant.start
    /// The earliest time at which the agent asks again over a link that the peer opened.
    public internal(set) var nextIncoming = Instant.start
    /// Once read: when the agent reads it again.
    public internal(set) var nextRead = Instant.start
    /// The earliest time at which another written identity is recorded.
    public internal(set) var nextWritten = Instant.start

    /// Until when the agent does not ask for the payload, because the peer has refused it in a way that will
    /// repeat: over links of the agent's own, and over those that the peer opened.
    private var refusedUntil = Instant.start
    private var incomingRefusedUntil = Instant.start

    /// Whether the peer has given an identity at all.
    public var hasIdentity: Bool { progress == .done || hasWritten }

    /// The interval at which the agent reads an identity again.
    static let rereadPause = Interval.minutes(15)
    /// The pause after a failed attempt to read an identity again; it doubles with each further one.
    static let shortestRereadPause = Interval.seconds(30)

    /// The pause after the first failure; it doubles with each further one, up to the longest.
    static let shortestPause = Interval.seconds(2)
    static let longestPause = Interval.minutes(10)
    /// The pause after a device proved to be an unsupported peer. An app may start there, but seldom. An
    /// iPhone's address lasts a quarter of an hour, so the agent probes it at most twice under each
    /// address.
    static let unsupportedPeerPause = Interval.minutes(5)
    static let longestUnsupportedPeerPause = Interval.hours(1)

    /// The pause after a refusal that will repeat.
    static let refusalPause = Interval.days(1)

    /// The time within which a peer may change its identity once. Herald's identities last for minutes; a
    /// peer that writes a new one each time would fill our log.
    static let changePause = Interval.minutes(1)

    /// Records that the identity has arrived.
    mutating func succeed(now: Instant) {
        progress = .done
        hasWritten = false
        confirmations = 0
        nextAttempt = now + Self.changePause
        nextRead = now + Self.rereadPause
    }

    /// Records that a later read found the same identity.
    mutating func confirm(now: Instant) {
        confirmations = min(confirmations + 1, 4)
        failures = 0
        nextRead = now + Self.rereadPause
    }

    /// Records that a peer with a pseudo address was heard under another address than before. The agent then
    /// reads it again after a minute. The pause doubles each time that the answer is the same, because many
    /// phones move every few seconds.
    mutating func move(now: Instant) {
        nextRead = min(nextRead, now + Interval.minutes(1 << UInt64(confirmations)))
    }

    /// Records that a peer with a pseudo address was heard under another address than before. If it had
    /// refused its payload, somebody else may have answered there: the agent asks again after a while.
    mutating func forgetRefusal(now: Instant) {
        let end = now + Self.longestPause
        if refusedUntil > end {
            refusedUntil = end
            nextAttempt = min(nextAttempt, end)
        }
        if incomingRefusedUntil > end {
            incomingRefusedUntil = end
            nextIncoming = end
        }
    }

    /// Whether the peer has lately refused its payload in a way that will repeat, over such a link.
    func isRefused(isOurs: Bool, now: Instant) -> Bool {
        now < refusedUntil || !isOurs && now < incomingRefusedUntil
    }

    /// Records a refusal that will repeat.
    /// - Parameter isOurs: whether the agent opened the link. A link that the peer opened may be another
    ///   device's under its address, so a refusal there bars only such links.
    mutating func refuse(isOurs: Bool, now: Instant) {
        if progress == .running { progress = .needed }
        let end = now + Self.refusalPause
        if isOurs {
            refusedUntil = end
            failures = failures < .max ? failures + 1 : failures
            if progress != .done { nextAttempt = end }
        } else {
            incomingRefusedUntil = end
            nextIncoming = end
        }
    }

    /// Whether an identity that was read is to be read again.
    func isRereadDue(now: Instant) -> Bool { progress == .done && now >= max(nextRead, refusedUntil) }

    /// Postpones reading again, because an attempt failed. The identity stays.
    mutating func failReread(now: Instant, jitter: UInt64) {
        nextRead =
            now
            + Backoff.pause(
                from: Self.shortestRereadPause, through: Self.rereadPause, failures: failures, jitter: jitter)
        failures = failures < .max ? failures + 1 : failures
    }

    /// Postpones the next read, because the peer has given an identity in another scheme. No effect if
    /// Herald's was read.
    mutating func rest(until end: Instant) {
        guard progress != .done else { return }
        progress = .needed
        nextAttempt = end
    }

    /// Records that the peer could not be read over a link that it opened, and sets the back-off for such
    /// links.
    mutating func failIncoming(now: Instant, jitter: UInt64, isUnsupported: Bool) {
        if progress == .running { progress = .needed }
        let pause = Self.pause(isUnsupported: isUnsupported, failures: incomingFailures, jitter: jitter)
        incomingFailures = incomingFailures < .max ? incomingFailures + 1 : incomingFailures
        nextIncoming = now + pause
    }

    /// Records a failed attempt and sets the back-off. An identity that arrived meanwhile stays.
    mutating func fail(now: Instant, jitter: UInt64, isUnsupported: Bool = false) {
        guard progress != .done else { return }
        let pause = Self.pause(isUnsupported: isUnsupported, failures: failures, jitter: jitter)
        progress = .needed
        failures = failures < .max ? failures + 1 : failures
        nextAttempt = now + pause
    }

    private static func pause(isUnsupported: Bool, failures: UInt8, jitter: UInt64) -> Interval {
        Backoff.pause(
            from: isUnsupported ? unsupportedPeerPause : shortestPause,
            through: isUnsupported ? longestUnsupportedPeerPause : longestPause, failures: failures,
            jitter: jitter)
    }
}
