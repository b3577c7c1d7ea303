/// An identity that a board served, until the next such entry or the end of the boot.
public struct OwnIdentityRecord: Sendable, Equatable {
    public var monotonicMilliseconds: Int64
    public var address: RecordedAddress
    /// Nil if the board had no identity and did not advertise one.
    public var identity: Identity?

    public init(monotonicMilliseconds: Int64, address: RecordedAddress, identity: Identity?) {
        self.monotonicMilliseconds = monotonicMilliseconds
        self.address = address
        self.identity = identity
    }
}
