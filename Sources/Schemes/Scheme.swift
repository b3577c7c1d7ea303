import FixedMemory

/// What every family of identities can do on a board: make its own, and read others' from the air.
///
/// There are no values of a scheme; they are used by name. Times are whole seconds since 1970 UTC.
public protocol Scheme {
    /// What names someone for a while, as it goes over the air.
    associatedtype Identity: BitwiseCopyable
    /// What this device keeps to make its own: a root key, a registration.
    associatedtype Maker
    associatedtype Refusal: Error

    /// Who this device is at an instant, and for how long.
    static func identity(at unixSeconds: UInt64, by maker: inout Maker) throws(Refusal) -> Timed<Identity>

    /// What a characteristic or service data gave.
    static func read(_ bytes: Span<UInt8>) throws(Refusal) -> Identity
}

/// A scheme whose authority publishes keys, and in which whoever was met finds that out himself. (In the others the
/// authority resolves what was observed.)
public protocol PublishingScheme: Scheme {
    /// What is published of somebody who has fallen ill: it gives away his identities of a day or so.
    associatedtype PublishedKey: BitwiseCopyable
    /// What of an identity a published key gives away.
    associatedtype Expanded: BitwiseCopyable & Equatable = Identity

    /// How far from its interval an identity may have been seen and still count as its owner's: for clocks that are
    /// wrong, and no more than that, since within it whoever repeats it elsewhere is believed, too.
    static var toleranceSeconds: UInt64 { get }

    /// All identities of a key with their intervals, in the order that is quickest, until `visit` returns false.
    static func expand(
        _ key: PublishedKey, _ visit: (Timed<Expanded>) -> Bool
    ) throws(Refusal)
}

extension PublishingScheme {
    /// Whether somebody who had this key was seen as `identity` at an instant.
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

/// An identity and when it is its owner's.
public struct Timed<Identity: BitwiseCopyable>: BitwiseCopyable {
    public let identity: Identity
    public let validity: ValidityInterval

    public init(_ identity: Identity, _ validity: ValidityInterval) {
        self.identity = identity
        self.validity = validity
    }
}

extension Timed: Sendable where Identity: Sendable {}

/// From one second on until another, which is no longer in it; since 1970 UTC.
public struct ValidityInterval: BitwiseCopyable, Equatable, Sendable {
    public let startSeconds: UInt64
    public let endSeconds: UInt64

    /// Nil unless it ends after it starts.
    public init?(startSeconds: UInt64, endSeconds: UInt64) {
        guard startSeconds < endSeconds else { return nil }
        self.startSeconds = startSeconds
        self.endSeconds = endSeconds
    }

    /// That one of the periods, counted from 1970, in which `unixSeconds` lies. Those few that would end after the last
    /// second that can be told end there.
    public init(around unixSeconds: UInt64, periodSeconds: UInt32) {
        let period = UInt64(max(1, periodSeconds))
        let start = unixSeconds - unixSeconds % period
        startSeconds = min(start, .max - 1)
        endSeconds = start > .max - period ? .max : start + period
    }

    public func contains(_ unixSeconds: UInt64) -> Bool {
        startSeconds <= unixSeconds && unixSeconds < endSeconds
    }

    /// The same and so many seconds on either side.
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
