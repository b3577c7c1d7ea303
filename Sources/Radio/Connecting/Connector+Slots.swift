import FixedMemory
import HCI
import Peers

/// The slots for links.
extension Connector {
    /// Whether a link can be made now. A link that is still ending may stand in its way.
    func canConnect(besideLinks count: Int, _ settings: RadioSettings) -> Bool {
        count <= settings.linkLimit && count < refusedLinkCount
    }

    /// Whether a slot is free for a link of our own. If none is, the next one is reserved after a while,
    /// and the oldest incoming link is evicted.
    mutating func hasSlot(
        links: inout LinkTable, _ context: borrowing RadioContext, now: Instant
    ) -> Bool {
        if links.stayingCount < slotCount(context.settings) { return true }
        guard let since = waitingSince else {
            waitingSince = now
            return false
        }
        let stay = context.policy.leastStay
        guard now >= since + stay else { return false }
        isSlotReserved = true
        return freeSlot(links: &links, context.settings) {
            !$0.isOurs && $0.mayBeEvicted(after: stay, now: now)
        }
    }

    /// Evicts the oldest links, of those that may be evicted, until a slot is free.
    @inline(never)
    func freeSlot(
        links: inout LinkTable, _ settings: RadioSettings, where mayBeEvicted: (borrowing Link) -> Bool
    ) -> Bool {
        while links.stayingCount >= slotCount(settings) {
            guard let oldest = links.oldest(where: mayBeEvicted) else { return false }
            links[oldest].phase = .endWanted
        }
        return true
    }

    private func slotCount(_ settings: RadioSettings) -> Int { min(settings.linkLimit, refusedLinkCount) }
}
