import FixedMemory

/// The payloads shared with each receiver, in fixed memory. After eviction a receiver may get duplicates.
struct SharingBook: ~Copyable {
    static let receiverCount = 32
    static let payloadCount = 64

    struct Receiver: BitwiseCopyable {
        /// 0 if the entry is unused.
        var key: UInt64
        /// The value of `clock` at the last look-up.
        var age: UInt64
        /// A ring of digests of the payloads that the receiver got.
        var digests: InlineArray<64, UInt32>
        var count: UInt32
        /// The number of newest digests whose payloads are on their way and not acknowledged yet.
        var pendingCount: UInt32
    }

    private var receivers: FixedArray<Receiver>
    private var clock: UInt64 = 0

    init() throws(MemoryError) { receivers = try FixedArray<Receiver>(zeroed: Self.receiverCount) }

    /// Records that the payload is on its way to the receiver.
    /// - Returns: false if the receiver got it before, or too many are on their way.
    mutating func take(_ digest: UInt32, for key: PeerKey) -> Bool {
        let place = find(key) ?? make(key)
        clock += 1
        receivers[place].age = clock
        let count = Int(receivers[place].count)
        for index in 0..<min(count, Self.payloadCount) where receivers[place].digests[index] == digest {
            return false
        }
        // The ring must still hold every digest that may have to be taken back.
        guard receivers[place].pendingCount < UInt32(Self.payloadCount) else { return false }
        receivers[place].digests[count % Self.payloadCount] = digest
        receivers[place].count += 1
        receivers[place].pendingCount += 1
        return true
    }

    /// Records that the pending payloads have arrived.
    mutating func confirm(_ key: PeerKey) {
        guard let place = find(key) else { return }
        receivers[place].pendingCount = 0
        // Keeps the counter far from overflow, at the same position in the ring.
        let size = UInt32(Self.payloadCount)
        if receivers[place].count >= 2 * size { receivers[place].count -= size }
    }

    /// Takes the pending payloads back: they did not arrive, or their arrival is unknown.
    mutating func withdraw(_ key: PeerKey) {
        guard let place = find(key) else { return }
        while receivers[place].pendingCount > 0 {
            receivers[place].pendingCount -= 1
            receivers[place].count -= 1
            let index = Int(receivers[place].count) % Self.payloadCount
            receivers[place].digests[index] = 0
        }
    }

    private func find(_ key: PeerKey) -> Int? {
        for place in receivers.indices where receivers[place].age > 0 && receivers[place].key == key.rawValue
        {
            return place
        }
        return nil
    }

    /// Replaces the receiver looked up longest ago.
    private mutating func make(_ key: PeerKey) -> Int {
        var oldest = 0
        for place in receivers.indices where receivers[place].age < receivers[oldest].age { oldest = place }
        receivers[oldest] = Receiver(
            key: key.rawValue, age: 0, digests: InlineArray(repeating: 0), count: 0, pendingCount: 0)
        return oldest
    }
}
