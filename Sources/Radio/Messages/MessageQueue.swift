import DeviceSync
import FixedMemory
import Peers

/// Immediate messages on their way to peers (HP-C29 to C31, HP-O08), in fixed memory. A message that has
/// gone to all, or has been given up, is remembered until a newer one needs its place.
package struct MessageQueue: ~Copyable {
    static let messageCapacity = 8
    static let deliveryCapacity = 256
    /// The number of attempts at one peer.
    static let attempts: UInt8 = 3
    /// The longest time for which a message is tried.
    static let timeout = Interval.minutes(5)
    static let shortestPause = Interval.seconds(2)

    package struct Message: BitwiseCopyable {
        var report: MessageReport
        var data: FixedBuffer<509>
        var deadline: Instant
    }

    /// By place. A place is free if its report has number 0.
    private var messages: FixedArray<Message>
    private var deliveries: FixedArray<Delivery>
    /// The number of deliveries that are not over.
    private(set) var openCount = 0
    private var oldestPlace = 0
    /// When ``keep(recorder:now:)`` next looks at the deliveries.
    var nextCheck = Instant.start

    init() throws(MemoryError) {
        let none = Message(
            report: MessageReport(number: 0, queuedCount: 0, leftOutCount: 0), data: FixedBuffer(),
            deadline: .start)
        let messages = try FixedArray<Message>(count: Self.messageCapacity, repeating: none)
        let deliveries = try FixedArray<Delivery>(count: Self.deliveryCapacity, repeating: .free)
        self.messages = messages
        self.deliveries = deliveries
    }

    var isEmpty: Bool { openCount == 0 }
    var isFull: Bool { openCount == Self.deliveryCapacity }

    package func report(number: UInt32) -> MessageReport? {
        place(of: number).map { messages[$0].report }
    }

    @inline(never)
    private func place(of number: UInt32) -> Int? {
        guard number != 0 else { return nil }
        for place in messages.indices where messages[place].report.number == number { return place }
        return nil
    }

    // MARK: In

    /// Adds a message without recipients.
    mutating func begin(_ request: MessageRequest, now: Instant) throws(MessageError) {
        guard !isFull else { throw .queueFull }
        var chosen: Int?
        for step in messages.indices {
            let place = (oldestPlace + step) % messages.count
            guard messages[place].report.waitingCount == 0 else { continue }
            chosen = place
            break
        }
        guard let chosen else { throw .queueFull }
        if chosen == oldestPlace { oldestPlace = (oldestPlace + 1) % messages.count }
        messages[chosen] = Message(
            report: MessageReport(number: request.number, queuedCount: 0, leftOutCount: 0),
            data: request.data, deadline: now + Self.timeout)
    }

    /// Adds a recipient. `identityDigest`: the digest of its identity; 0 if it has none.
    mutating func add(_ key: PeerKey, identityDigest: UInt32, to number: UInt32) {
        guard let place = place(of: number) else { return }
        for index in deliveries.indices where deliveries[index].state == .free {
            deliveries[index] = Delivery(key: key, identityDigest: identityDigest, message: number)
            messages[place].report.queuedCount += 1
            openCount += 1
            return
        }
        messages[place].report.leftOutCount += 1
    }

    // MARK: Out

    /// The places of deliveries; those that are over are `.free`.
    var indices: Range<Int> { deliveries.indices }
    subscript(index: Int) -> Delivery { deliveries[index] }

    /// The oldest waiting delivery to this peer.
    func nextWaiting(for key: PeerKey) -> Int? {
        guard !isEmpty else { return nil }
        var first: Int?
        for index in deliveries.indices
        where deliveries[index].state == .waiting && deliveries[index].key == key {
            if let first, deadline(of: first) <= deadline(of: index) { continue }
            first = index
        }
        return first
    }

    /// When the delivery is given up. An older message has an earlier deadline.
    func deadline(of index: Int) -> Instant {
        place(of: deliveries[index].message).map { messages[$0].deadline } ?? .start
    }

    func data(of index: Int) -> FixedBuffer<509> {
        place(of: deliveries[index].message).map { messages[$0].data } ?? FixedBuffer()
    }

    /// Records that a link has begun to write the message.
    mutating func started(_ index: Int) { deliveries[index].state = .underWay }

    /// Records the peer's new key.
    mutating func rename(_ index: Int, to key: PeerKey) { deliveries[index].key = key }

    mutating func delivered(_ index: Int) {
        guard deliveries[index].state != .free else { return }
        if let place = place(of: deliveries[index].message) { messages[place].report.deliveredCount += 1 }
        free(index)
    }

    @inline(never)
    mutating func giveUp(_ index: Int) {
        guard deliveries[index].state != .free else { return }
        if let place = place(of: deliveries[index].message) { messages[place].report.failedCount += 1 }
        free(index)
    }

    /// Records a failed attempt: the peer refused the write, or the link was lost.
    mutating func attemptFailed(_ index: Int, now: Instant, jitter: UInt64) {
        guard deliveries[index].state != .free else { return }
        deliveries[index].attempts += 1
        guard deliveries[index].attempts < Self.attempts else { return giveUp(index) }
        deliveries[index].state = .waiting
        deliveries[index].nextAttempt =
            now
            + Backoff.pause(
                from: Self.shortestPause, through: Self.timeout,
                failures: deliveries[index].attempts - 1, jitter: jitter)
    }

    /// Records that all deliveries to a peer failed: no connection came about, or it has no signal
    /// characteristic.
    mutating func attemptFailed(with key: PeerKey, isForGood: Bool, now: Instant, jitter: UInt64) {
        guard !isEmpty else { return }
        for index in deliveries.indices
        where deliveries[index].state == .waiting && deliveries[index].key == key {
            if isForGood {
                giveUp(index)
            } else {
                attemptFailed(index, now: now, jitter: jitter)
            }
        }
    }

    /// Gives up deliveries that have taken too long.
    mutating func expire(now: Instant) {
        guard !isEmpty else { return }
        for index in deliveries.indices
        where deliveries[index].state == .waiting && now >= deadline(of: index) {
            giveUp(index)
        }
    }

    private mutating func free(_ index: Int) {
        deliveries[index] = .free
        openCount -= 1
    }
}
