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
    /// The peers that are near. Each has the number of its encounters that go on, and their worst error.
    private var near: [String: (count: Int, error: Int64?)] = [:]
    /// The peers that have arrived in this slot, or departed. The slot has counted them.
    private var arrived: Set<String> = []
    private var nearBoardCount = 0

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
        let known = near[event.peer]
        near[event.peer] = (
            (known?.count ?? 0) + 1, known.map { Self.worst($0.error, event.error) } ?? event.error
        )
        slot.errorMilliseconds = Self.worst(slot.errorMilliseconds, event.error)
        guard known == nil else { return }
        if event.isOfBoard { nearBoardCount += 1 }
        slot.peakCount = max(slot.peakCount, near.count)
        if event.time >= first { slot.arrivalCount += 1 }
        guard arrived.insert(event.peer).inserted else { return }
        slot.peerCount += 1
        if event.isOfBoard { slot.boardCount += 1 }
    }

    private mutating func depart(_ event: PresenceEvent) {
        guard let known = near[event.peer] else { return }
        guard known.count == 1 else {
            near[event.peer] = (known.count - 1, known.error)
            return
        }
        near[event.peer] = nil
        if event.isOfBoard { nearBoardCount -= 1 }
        slot.departureCount += 1
        // It was near when the slot began, so it does not count again if it returns.
        arrived.insert(event.peer)
    }
}

extension PresenceSweep {
    /// Counts the time up to `end`, and ends the slots before it.
    private mutating func advance(to end: Int64) {
        while end >= slot.start + Self.length {
            guard !near.isEmpty || slot.peerCount > 0 else {
                begin(at: TouchedTimes.slot(of: end) * Self.length)
                break
            }
            count(to: slot.start + Self.length)
            slots.append(slot)
            begin(at: slot.start + Self.length)
        }
        count(to: end)
    }

    private mutating func count(to end: Int64) {
        slot.presentMilliseconds += Int64(near.count) * max(0, end - time)
        time = max(time, end)
    }

    private mutating func begin(at start: Int64) {
        slot = Slot(start: start)
        slot.peerCount = near.count
        slot.boardCount = nearBoardCount
        slot.peakCount = near.count
        slot.errorMilliseconds = near.values.reduce(0) { Self.worst($0, $1.error) }
        arrived = []
        time = max(time, start)
    }

    /// The worse of two errors; nil, which is unknown, is the worst.
    private static func worst(_ one: Int64?, _ other: Int64?) -> Int64? {
        one.flatMap { one in other.map { max(one, $0) } }
    }
}
