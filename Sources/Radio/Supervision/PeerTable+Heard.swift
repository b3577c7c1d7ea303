import FixedMemory
import HCI
import Peers

extension PeerTable {
    /// How many peers were heard since then, at least as strong as `floor` where it is given. Of each
    /// standing the `limit` heard last are looked at, no more.
    @inline(never)
    func countHeard(since start: Instant, atLeast floor: RSSI? = nil, limit: Int) -> Int {
        countHeard(.ignored, since: start, atLeast: floor, limit: limit)
            + countHeard(.tentative, since: start, atLeast: floor, limit: limit)
            + countHeard(.confirmed, since: start, atLeast: floor, limit: limit)
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
            // A link may tell of those whom the scan does not hear.
            guard slots[slot].lastHeard >= start else { continue }
            if let floor {
                guard let rssi = slots[slot].rssi, rssi >= floor else { continue }
            }
            found += 1
        }
        return found
    }
}
