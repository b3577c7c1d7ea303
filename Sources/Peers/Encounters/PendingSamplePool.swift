import FixedMemory

/// The elements that wait for each peer, oldest first, in one shared pool. Each peer gets an equal share:
/// the fewer peers have waiting elements, the more each of them may keep.
struct PendingSamplePool<Element: BitwiseCopyable>: ~Copyable {
    private var elements: FixedArray<Element>
    /// By place: the next place in the same list, or the next free place. Places count from 1, and 0 means
    /// none.
    private var following: FixedArray<UInt16>
    /// One list for each peer, by its slot in the peer table.
    private var lists: FixedArray<WaitingList>
    private let longestList: Int
    private var firstFree: UInt16 = 0
    /// The number of places that were ever used. The memory pages of the others stay untouched, and so cost
    /// nothing.
    private var usedCount = 0
    private var listCount = 0

    /// Creates an empty pool. `Element` must be valid when all its bits are zero; no caller ever receives
    /// such an element.
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

    /// The pool's memory in bytes when every place is in use.
    static func byteCount(capacity: Int, slotCount: Int) -> Int {
        capacity * (MemoryLayout<Element>.stride + MemoryLayout<UInt16>.stride)
            + slotCount * MemoryLayout<WaitingList>.stride
    }

    var isFull: Bool { firstFree == 0 && usedCount == elements.count }

    func count(of slot: Int) -> Int { Int(lists[slot].count) }

    /// The number of elements that a peer may have: its share of the pool, and at least two.
    func share(of slot: Int) -> Int {
        let owners = max(listCount + (lists[slot].count == 0 ? 1 : 0), 1)
        return max(min(elements.count / owners, longestList), 2)
    }

    /// Appends an element to a peer's list. Returns false if the pool is full.
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

    /// Removes and returns the peer's oldest element.
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

    // Destroyed in one place, because inlined copies enlarge the board's image.
    @inline(never)
    deinit {}
}

/// One peer's list, by places.
private struct WaitingList: BitwiseCopyable {
    var first: UInt16 = 0
    var last: UInt16 = 0
    var count: UInt16 = 0
}

extension PendingSamplePool where Element == GatheredSample {
    /// Merges the peer's samples until it may have one more. Returns false if the pool is full all the
    /// same.
    mutating func mergeToMakeRoom(for slot: Int) -> Bool {
        while count(of: slot) > 1, isFull || count(of: slot) >= share(of: slot) { joinClosest(of: slot) }
        return !isFull
    }

    /// Merges the two neighbouring samples that together cover the shortest time, preferring neighbours
    /// that state the same power. So samples that were merged before are merged again last.
    private mutating func joinClosest(of slot: Int) {
        var place = lists[slot].first
        var best: UInt16 = 0
        var isBestLike = false
        var bestLength = Interval.forever
        while place != 0, case let next = following[Int(place) - 1], next != 0 {
            let (one, other) = (elements[Int(place) - 1], elements[Int(next) - 1])
            let isLike = one.isLike(other)
            let length = other.end - one.start
            if isLike == isBestLike ? length < bestLength : isLike {
                best = place
                isBestLike = isLike
                bestLength = length
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
