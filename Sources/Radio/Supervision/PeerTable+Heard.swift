import FixedMemory
import HCI
import Peers

extension PeerTable {
    /// The number of peers heard since then, at least as strong as `floor` if it is given. Of each standing,
    /// only the `limit` peers that were heard last are examined.
    @inline(never)
    func countHeard(since start: Instant, atLeast floor: RSSI? = nil, limit: Int) -> Int {
        countHeard(.ignored, since: start, atLeast: floor, limit: limit)
            + countHeard(.tentative, since: start, atLeast: floor, limit: limit)
            + countHeard(.confirmed, since: start, atLeast: floor, limit: limit)
    }

    /// Whether the scan has heard a peer whose identity is known: it was read, or the peer advertises it and
    /// has stayed for a while.
    @inline(never)
    func isIdentifiedPeerHeard(since start: Instant) -> Bool {
        var next = newest(.confirmed)
        while let slot = next, slots[slot].lastSeen >= start {
            if slots[slot].isIdentified || slots[slot].interest == .advertiser { return true }
            next = older(than: slot)
        }
        return false
    }

    @inline(never)
    private func countHeard(
        _ standing: PeerStanding, since start: Instant, atLeast floor: RSSI?, limit: Int
    ) -> Int {
        var next = newest(standing)
        var found = 0
        var lookedAt = 0
        while lookedAt < limit, let slot = next, slots[slot].lastSeen >= start {
            lookedAt += 1
            next = older(than: slot)
            // A link may show peers that the scan does not hear.
            guard slots[slot].lastHeard >= start else { continue }
            if let floor {
                guard let rssi = slots[slot].rssi, rssi >= floor else { continue }
            }
            found += 1
        }
        return found
    }
}
