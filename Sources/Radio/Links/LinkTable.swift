import FixedMemory
import GATT
import HCI

/// The open links, in fixed memory. One more than the limit fits, so that a tentative can be taken while the one that
/// must go is still going.
package struct LinkTable: ~Copyable {
    /// Nil where no link is kept.
    var slots: FixedArray<Link?>
    private(set) var count = 0
    private var nextToSend = 0

    init(limit: Int) throws(MemoryError) {
        slots = try FixedArray(count: limit + 1, repeating: nil)
    }

    var indices: Range<Int> { slots.indices }

    /// How many are not ending.
    var stayingCount: Int {
        var staying = 0
        for index in indices where slots[index]?.ending == .no { staying += 1 }
        return staying
    }

    func find(_ handle: ConnectionHandle) -> Int? {
        for index in indices where slots[index]?.handle == handle { return index }
        return nil
    }

    func isConnected(to peer: DeviceAddress) -> Bool {
        for index in indices where slots[index]?.peer == peer { return true }
        return false
    }

    /// Returns where the link is kept; nil when there is no room at all.
    mutating func add(_ link: Link) -> Int? {
        for index in indices where slots[index] == nil {
            slots[index] = link
            count += 1
            return index
        }
        return nil
    }

    mutating func remove(_ index: Int) {
        if slots[index] != nil { count -= 1 }
        slots[index] = nil
    }

    mutating func removeAll() {
        for index in indices { remove(index) }
    }

    /// The link that has been open longest and is not already ending.
    func oldest(where mayGo: (Link) -> Bool) -> Int? {
        var oldest: Int?
        for index in indices {
            guard let link = slots[index], link.ending == .no, mayGo(link) else { continue }
            if let other = oldest, let rival = slots[other],
                rival.openedMilliseconds <= link.openedMilliseconds
            {
                continue
            }
            oldest = index
        }
        return oldest
    }

    /// A link with something to send, each in its turn.
    mutating func takeNextToSend() -> Int? {
        for step in 0..<slots.count {
            let index = (nextToSend + step) % slots.count
            if slots[index]?.gatt.hasFragment == true {
                nextToSend = (index + 1) % slots.count
                return index
            }
        }
        return nil
    }
}
