/// Who a board was to others, from then on until the next of these or the start's end.
public struct OwnIdentityRecord: Sendable, Equatable {
    public var monotonicMilliseconds: Int64
    public var address: RecordedAddress
    /// Nil: it had none, and was silent.
    public var identity: Identity?

    public init(monotonicMilliseconds: Int64, address: RecordedAddress, identity: Identity?) {
        self.monotonicMilliseconds = monotonicMilliseconds
        self.address = address
        self.identity = identity
    }
}
