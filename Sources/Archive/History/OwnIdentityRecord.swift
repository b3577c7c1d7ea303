import FixedMemory

/// An identity that a board served, until the next such entry or the end of the boot.
public struct OwnIdentityRecord: Sendable, Equatable {
    public var instant: Instant
    public var address: RecordedAddress
    /// Nil if the board had no identity and did not advertise one.
    public var identity: Identity?

    public init(instant: Instant, address: RecordedAddress, identity: Identity?) {
        self.instant = instant
        self.address = address
        self.identity = identity
    }
}
