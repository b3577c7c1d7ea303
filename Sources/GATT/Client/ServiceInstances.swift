/// The place of a ``CharacteristicSearch`` among the services of a peer. A peer can have several instances of
/// one service: iPhones keep those of apps that are gone, and only one of them may answer. The search tries
/// them in the order of their handles.
struct ServiceInstances: BitwiseCopyable {
    /// The number of instances that one search tries, over all services.
    static let maximumCount = 8

    /// An index into the search's services.
    private(set) var serviceIndex = 0
    /// The first handle at which the next instance can begin; nil if there is none.
    private(set) var next: UInt16? = 1
    private var count = 0
    /// Why the search did not end with an earlier instance, other than that a characteristic is missing.
    private(set) var failure: AttributeClientFailure?

    /// Records an instance that ends at `last`.
    mutating func didFind(last: UInt16) {
        count += 1
        next = last < .max && count < Self.maximumCount ? last + 1 : nil
    }

    /// Records that the service has no further instance.
    mutating func didExhaustService() { next = nil }

    mutating func didFail(_ failure: AttributeClientFailure) { self.failure = failure }

    /// Goes to the next instance, or to the next service.
    /// - Returns: whether there may be one.
    mutating func advance(_ search: CharacteristicSearch) -> Bool {
        if next != nil { return true }
        guard serviceIndex + 1 < search.services.count, count < Self.maximumCount else { return false }
        serviceIndex += 1
        next = 1
        return true
    }
}
