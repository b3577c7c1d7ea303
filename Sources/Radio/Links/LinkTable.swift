import FixedMemory
import GATT
import HCI
import Peers

/// The open links, in fixed memory. The table has one slot more than the limit, so that the board can take
/// a new link while the one that is evicted for it still ends.
struct LinkTable: ~Copyable {
    private var links: FixedArray<Link>
    private(set) var count = 0
    private var nextToSend = 0

    init(limit: Int) throws(MemoryError) {
        links = try FixedArray(count: limit + 1, repeating: Link(closedSlot: 0))
    }

    /// All slots; those without a link are ``Link/isClosed``.
    var indices: Range<Int> { links.indices }

    subscript(slot: Int) -> Link {
        @inline(__always) unsafeAddress { links.address(of: slot) }
        @inline(__always) unsafeMutableAddress { links.mutableAddress(of: slot) }
    }

    /// The number of links that are not ending.
    var stayingCount: Int {
        var staying = 0
        for slot in indices where links[slot].phase == .open { staying += 1 }
        return staying
    }

    func find(_ handle: ConnectionHandle) -> Int? {
        for slot in indices where !links[slot].isClosed && links[slot].handle == handle { return slot }
        return nil
    }

    func isConnected(to peer: DeviceAddress) -> Bool {
        guard count > 0 else { return false }
        for slot in indices where !links[slot].isClosed && links[slot].peer == peer { return true }
        return false
    }

    /// Opens a link in a free slot.
    /// - Returns: the slot; nil if none is free.
    mutating func open(_ connection: ConnectionComplete, peer: DeviceAddress, now: Instant) -> Int? {
        for slot in indices where links[slot].isClosed {
            links[slot] = Link(connection, peer: peer, slot: slot, now: now)
            count += 1
            return slot
        }
        return nil
    }

    mutating func close(_ slot: Int) {
        guard !links[slot].isClosed else { return }
        count -= 1
        links[slot].phase = .closed
        // The data that the peer gave are overwritten.
        links[slot].gatt = GATTLink(role: .peripheral)
    }

    mutating func closeAll() {
        for slot in indices { close(slot) }
    }

    /// The link that has been open longest, of those that may be evicted.
    func oldest(where mayBeEvicted: (borrowing Link) -> Bool) -> Int? {
        var oldest: Int?
        for slot in indices where links[slot].phase == .open && mayBeEvicted(links[slot]) {
            if let other = oldest, links[other].opened <= links[slot].opened {
                continue
            }
            oldest = slot
        }
        return oldest
    }

    /// The link whose peer is heard weakest (HP-O04), of those that may be evicted. A peer that was never
    /// heard counts as weakest.
    func weakest(_ recorder: borrowing Recorder, where mayBeEvicted: (borrowing Link) -> Bool) -> Int? {
        var weakest: Int?
        var weakestRSSI: RSSI?
        for slot in indices where links[slot].phase == .open && mayBeEvicted(links[slot]) {
            let rssi = recorder.peers.rssi(of: links[slot].peer)
            if weakest != nil {
                guard let other = weakestRSSI else { continue }
                if let rssi, rssi >= other { continue }
            }
            weakest = slot
            weakestRSSI = rssi
        }
        return weakest
    }

    /// The next link with something to send. The links take turns.
    mutating func nextSender() -> Int? {
        guard count > 0 else { return nil }
        for step in 0..<links.count {
            let slot = (nextToSend + step) % links.count
            if !links[slot].isClosed, links[slot].gatt.hasFragment {
                nextToSend = (slot + 1) % links.count
                return slot
            }
        }
        return nil
    }
}
