import FixedMemory

/// Counts who is near, event by event, in quarters of an hour. Times are in milliseconds since 1970 UTC.
struct PresenceSweep {
    struct Slot: Equatable {
        let start: Int64
        var peerCount = 0
        var boardCount = 0
        var peakCount = 0
        var presentMilliseconds: Int64 = 0
        var arrivalCount = 0
        var departureCount = 0
        /// Nil if unknown.
        var errorMilliseconds: Int64? = 0
    }

    /// The slots that are over and in which somebody was near.
    var slots: [Slot] = []

    private static let length = Int64(PresenceSlot.length.milliseconds)

    private let first: Int64
    private var time: Int64
    private var slot: Slot
    private var peers = NearKeys()
    private var identities = NearKeys()
    private var boards = NearKeys()
    /// The number of encounters that go on, by their error in milliseconds; -1 stands for an unknown one.
    private var errors: [Int64: Int] = [:]

    /// - Parameter start: the start of a slot. Peers that arrive earlier are near then.
    init(from start: Int64) {
        first = start
        time = start
        slot = Slot(start: start)
    }

    mutating func next(_ event: PresenceEvent) {
        advance(to: max(first, event.time))
        event.isArrival ? arrive(event) : depart(event)
    }

    /// Ends the slots up to this time.
    mutating func finish(at end: Int64) { advance(to: end) }

    private mutating func arrive(_ event: PresenceEvent) {
        errors[event.error ?? -1, default: 0] += 1
        slot.errorMilliseconds = Self.worst(slot.errorMilliseconds, event.error)
        identities.arrive(event.identity)
        if event.isOfBoard { boards.arrive(event.peer) }
        if peers.arrive(event.peer), event.time >= first { slot.arrivalCount += 1 }
        slot.peakCount = max(slot.peakCount, peers.count)
    }

    private mutating func depart(_ event: PresenceEvent) {
        let error = event.error ?? -1
        errors[error] = errors[error].flatMap { $0 > 1 ? $0 - 1 : nil }
        identities.depart(event.identity)
        if event.isOfBoard { boards.depart(event.peer) }
        if peers.depart(event.peer) { slot.departureCount += 1 }
    }
}

extension PresenceSweep {
    /// Counts the time up to `end`, and ends the slots before it.
    private mutating func advance(to end: Int64) {
        while end >= slot.start + Self.length {
            guard peers.slotCount > 0 else {
                begin(at: TouchedTimes.slot(of: end) * Self.length)
                break
            }
            count(to: slot.start + Self.length)
            // One device may show several identities, and one identity may come back under another address.
            slot.peerCount = min(peers.slotCount, identities.slotCount)
            slot.boardCount = boards.slotCount
            slots.append(slot)
            begin(at: slot.start + Self.length)
        }
        count(to: end)
    }

    private mutating func count(to end: Int64) {
        slot.presentMilliseconds += Int64(peers.count) * max(0, end - time)
        time = max(time, end)
    }

    private mutating func begin(at start: Int64) {
        slot = Slot(start: start)
        slot.peakCount = peers.count
        slot.errorMilliseconds = errors.keys.reduce(0) { Self.worst($0, $1 < 0 ? nil : $1) }
        peers.beginSlot()
        identities.beginSlot()
        boards.beginSlot()
        time = max(time, start)
    }

    /// The worse of two errors; nil, which is unknown, is the worst.
    private static func worst(_ one: Int64?, _ other: Int64?) -> Int64? {
        one.flatMap { one in other.map { max(one, $0) } }
    }
}
