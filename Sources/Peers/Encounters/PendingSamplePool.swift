import FixedMemory

/// What waits of each peer, oldest first, all out of one pool. While few wait, each may have much; the more there are, the
/// less is each one's part, so that there is something for all.
struct PendingSamplePool<Element: BitwiseCopyable>: ~Copyable {
    private var elements: FixedArray<Element>
    /// By place: the next one of the same list, or the next free one. Places are counted from 1; 0: none.
    private var following: FixedArray<UInt16>
    /// By the peer's slot.
    private var lists: FixedArray<WaitingList>
    private let longestList: Int
    private var firstFree: UInt16 = 0
    /// Places that have ever been used: the pages of the others are not taken.
    private var usedCount = 0
    private var listCount = 0

    /// Bits that are all zero must be an element, which nobody gets to see.
    init(capacity: Int, slotCount: Int, longestList: Int) throws(MemoryError) {
        precondition(capacity > 0 && capacity < 1 << 16)
        let elements = try FixedArray<Element>(zeroed: capacity)
        let following = try FixedArray<UInt16>(zeroed: capacity)
        let lists = try FixedArray<WaitingList>(zeroed: slotCount)
        self.elements = elements
        self.following = following
        self.lists = lists
        self.longestList = longestList
    }

    /// What it takes when all of it is in use.
    static func byteCount(capacity: Int, slotCount: Int) -> Int {
        capacity * (MemoryLayout<Element>.stride + MemoryLayout<UInt16>.stride)
            + slotCount * MemoryLayout<WaitingList>.stride
    }

    var isFull: Bool { firstFree == 0 && usedCount == elements.count }

    func count(of slot: Int) -> Int { Int(lists[slot].count) }

    /// How many a peer may have: its part of the pool, and never less than two.
    func share(of slot: Int) -> Int {
        let owners = max(listCount + (lists[slot].count == 0 ? 1 : 0), 1)
        return max(min(elements.count / owners, longestList), 2)
    }

    /// Returns false when there is no place for it.
    mutating func append(_ element: Element, of slot: Int) -> Bool {
        guard !isFull else { return false }
        let place: UInt16
        if firstFree != 0 {
            place = firstFree
            firstFree = following[Int(place) - 1]
        } else {
            usedCount += 1
            place = UInt16(truncatingIfNeeded: usedCount)
        }
        elements[Int(place) - 1] = element
        following[Int(place) - 1] = 0
        if lists[slot].count == 0 {
            lists[slot].first = place
            listCount += 1
        } else {
            following[Int(lists[slot].last) - 1] = place
        }
        lists[slot].last = place
        lists[slot].count += 1
        return true
    }

    /// The oldest of a peer's, which waits no more.
    mutating func takeFirst(of slot: Int) -> Element? {
        let place = lists[slot].first
        guard place != 0 else { return nil }
        let element = elements[Int(place) - 1]
        lists[slot].first = following[Int(place) - 1]
        lists[slot].count -= 1
        if lists[slot].count == 0 {
            lists[slot] = WaitingList()
            listCount -= 1
        }
        free(place)
        return element
    }

    mutating func removeAll(of slot: Int) {
        guard lists[slot].count > 0 else { return }
        following[Int(lists[slot].last) - 1] = firstFree
        firstFree = lists[slot].first
        lists[slot] = WaitingList()
        listCount -= 1
    }

    private mutating func free(_ place: UInt16) {
        following[Int(place) - 1] = firstFree
        firstFree = place
    }

    // Ended in one place, not wherever one is given up: for the image's size.
    @inline(never)
    deinit {}
}

/// One peer's, by their places.
private struct WaitingList: BitwiseCopyable {
    var first: UInt16 = 0
    var last: UInt16 = 0
    var count: UInt16 = 0
}

extension PendingSamplePool where Element == GatheredSample {
    /// Whether there is a place for one more of this peer, which its others may have to be joined for.
    mutating func evictForIncoming(for slot: Int) -> Bool {
        while count(of: slot) > 1, isFull || count(of: slot) >= share(of: slot) { joinClosest(of: slot) }
        return !isFull
    }

    /// Makes one of the two neighbours that together take the shortest time, if there are any among those of one power; so
    /// samples that have been joined are joined again last.
    private mutating func joinClosest(of slot: Int) {
        var place = lists[slot].first
        var best: UInt16 = 0
        var isBestLike = false
        var bestMilliseconds = UInt64.max
        while place != 0, case let next = following[Int(place) - 1], next != 0 {
            let (one, other) = (elements[Int(place) - 1], elements[Int(next) - 1])
            let isLike = one.isLike(other)
            let milliseconds = other.endMilliseconds - one.startMilliseconds
            if isLike == isBestLike ? milliseconds < bestMilliseconds : isLike {
                best = place
                isBestLike = isLike
                bestMilliseconds = milliseconds
            }
            place = next
        }
        guard best != 0 else { return }
        let second = following[Int(best) - 1]
        elements[Int(best) - 1].join(elements[Int(second) - 1])
        following[Int(best) - 1] = following[Int(second) - 1]
        if lists[slot].last == second { lists[slot].last = best }
        lists[slot].count -= 1
        free(second)
    }
}
