import FixedMemory

/// Which boards the operator trusts without being asked: boards that the archive does not know yet, or boards
/// with certain keys.
public struct TrustPolicy: Sendable {
    /// Trusts every board that is new to the archive, with the key that it presents first.
    public var trustsNewBoards = false
    /// Fingerprints of board keys that the operator has compared. They are trusted for new boards, and as the
    /// new keys of known ones.
    public var fingerprints: [Bytes<16>] = []

    public init() {}

    /// Unknown boards stay untrusted, and known boards must present their known keys.
    public static let none = TrustPolicy()
    public static let newBoards: TrustPolicy = {
        var policy = TrustPolicy()
        policy.trustsNewBoards = true
        return policy
    }()

    public func trusts(newBoardWith fingerprint: Bytes<16>?) -> Bool {
        trustsNewBoards || fingerprint.map(fingerprints.contains) ?? false
    }

    public func trusts(newKey fingerprint: Bytes<16>) -> Bool { fingerprints.contains(fingerprint) }
}
