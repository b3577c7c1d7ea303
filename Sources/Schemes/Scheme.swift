import FixedMemory

/// A family of identities on a board: making its own, and reading others' from the air.
///
/// Schemes are used as types and have no values. Times are whole seconds since 1970 UTC.
public protocol Scheme {
    /// The identity that goes over the air for a while.
    associatedtype Identity: BitwiseCopyable
    /// The state from which this device makes its own identities: a root key, a registration.
    associatedtype Maker
    associatedtype Refusal: Error

    /// This device's identity at an instant, and its validity.
    static func identity(at unixSeconds: UInt64, by maker: inout Maker) throws(Refusal) -> Timed<Identity>

    /// Parses the bytes of a characteristic or of service data.
    static func read(_ bytes: Span<UInt8>) throws(Refusal) -> Identity
}

/// A scheme whose authority publishes keys, with which each device finds its own contacts. (In the others the
/// authority resolves what was observed.)
public protocol PublishingScheme: Scheme {
    /// The key that a person who has fallen ill publishes: it reveals that person's identities of a day or
    /// so.
    associatedtype PublishedKey: BitwiseCopyable
    /// The part of an identity that a published key reveals.
    associatedtype Expanded: BitwiseCopyable & Equatable = Identity

    /// How far outside its interval an observed identity still counts as its owner's. This allows for clock
    /// errors and no more, because within it a replay elsewhere is accepted, too.
    static var toleranceSeconds: UInt64 { get }

    /// Visits all identities of a key with their intervals, in the quickest order, until `visit` returns
    /// false.
    static func expand(
        _ key: PublishedKey, _ visit: (Timed<Expanded>) -> Bool
    ) throws(Refusal)
}

extension PublishingScheme {
    /// Whether the key's owner was seen as `identity` at an instant.
    public static func matches(
        _ identity: Expanded, seenAt unixSeconds: UInt64, _ key: PublishedKey
    ) throws(Refusal) -> Bool {
        var isMatch = false
        try expand(key) { own in
            isMatch =
                own.identity == identity
                && own.validity.widened(by: toleranceSeconds).contains(unixSeconds)
            return !isMatch
        }
        return isMatch
    }
}

/// An identity with its validity.
public struct Timed<Identity: BitwiseCopyable>: BitwiseCopyable {
    public let identity: Identity
    public let validity: ValidityInterval

    public init(_ identity: Identity, _ validity: ValidityInterval) {
        self.identity = identity
        self.validity = validity
    }
}

extension Timed: Sendable where Identity: Sendable {}

/// A range of seconds since 1970 UTC; its end is excluded.
public struct ValidityInterval: BitwiseCopyable, Equatable, Sendable {
    public let startSeconds: UInt64
    public let endSeconds: UInt64

    /// Nil unless the end is after the start.
    public init?(startSeconds: UInt64, endSeconds: UInt64) {
        guard startSeconds < endSeconds else { return nil }
        self.startSeconds = startSeconds
        self.endSeconds = endSeconds
    }

    /// The period around `unixSeconds`, with periods counted from 1970. A period that would end beyond the
    /// largest number ends there.
    public init(around unixSeconds: UInt64, periodSeconds: UInt32) {
        let period = UInt64(max(1, periodSeconds))
        let start = unixSeconds - unixSeconds % period
        startSeconds = min(start, .max - 1)
        endSeconds = start > .max - period ? .max : start + period
    }

    public func contains(_ unixSeconds: UInt64) -> Bool {
        startSeconds <= unixSeconds && unixSeconds < endSeconds
    }

    /// The interval, extended by `seconds` on either side.
    public func widened(by seconds: UInt64) -> ValidityInterval {
        ValidityInterval(
            start: startSeconds < seconds ? 0 : startSeconds - seconds,
            end: endSeconds > .max - seconds ? .max : endSeconds + seconds)
    }

    private init(start: UInt64, end: UInt64) {
        startSeconds = start
        endSeconds = end
    }
}
