import FixedMemory

/// Which payloads have been shared with whom, in fixed memory. Who is forgotten is told some things twice.
struct SharingBook: ~Copyable {
    static let receiverCount = 32
    static let payloadCount = 64

    struct Receiver: BitwiseCopyable {
        /// 0: nobody.
        var key: UInt64
        /// When it was last looked up, in look-ups.
        var age: UInt64
        /// In a ring: the digests of what it was told.
        var digests: InlineArray<64, UInt32>
        var count: UInt32
        /// The last of these are on their way, and not acknowledged yet.
        var pendingCount: UInt32
    }

    private var receivers: FixedArray<Receiver>
    private var clock: UInt64 = 0

    init() throws(MemoryError) { receivers = try FixedArray<Receiver>(zeroed: Self.receiverCount) }

    /// Notes that the payload is on its way to the receiver.
    /// - Returns: false when it was told before.
    mutating func take(_ digest: UInt32, for key: PeerKey) -> Bool {
        let place = find(key) ?? make(key)
        clock += 1
        receivers[place].age = clock
        let count = Int(receivers[place].count)
        for index in 0..<min(count, Self.payloadCount) where receivers[place].digests[index] == digest {
            return false
        }
        // No more at once than can be taken back.
        guard receivers[place].pendingCount < UInt32(Self.payloadCount) else { return false }
        receivers[place].digests[count % Self.payloadCount] = digest
        receivers[place].count += 1
        receivers[place].pendingCount += 1
        return true
    }

    /// It has arrived.
    mutating func confirm(_ key: PeerKey) {
        guard let place = find(key) else { return }
        receivers[place].pendingCount = 0
        // Never near its end, and in the same place of the ring.
        let size = UInt32(Self.payloadCount)
        if receivers[place].count >= 2 * size { receivers[place].count -= size }
    }

    /// It has not, or nobody knows.
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

    /// In the place of whoever was told nothing for longest.
    private mutating func make(_ key: PeerKey) -> Int {
        var oldest = 0
        for place in receivers.indices where receivers[place].age < receivers[oldest].age { oldest = place }
        receivers[oldest] = Receiver(
            key: key.rawValue, age: 0, digests: InlineArray(repeating: 0), count: 0, pendingCount: 0)
        return oldest
    }
}
