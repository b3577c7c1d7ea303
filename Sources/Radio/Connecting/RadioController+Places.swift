import EncounterLog
import FixedMemory
import GATT
import HCI
import Peers

/// Who gets a place when there are as many links as may be. One more than that is taken, and the oldest goes for it (HP-C26): so
/// nobody can keep others from coming, nor us from going to them, however often he comes again.
extension RadioController {
    /// Ends the link that must go: for a tentative, or where the controller takes no more links and nobody could come.
    mutating func evictForIncoming(recorder: borrowing Recorder, nowMilliseconds now: UInt64) {
        let staying = links.stayingCount
        if staying > settings.linkLimit {
            if let index = linkToDrop(recorder, nowMilliseconds: now) { links.slots[index]?.ending = .wanted }
        } else if advertises, staying == links.count, !roles.isConnectable(besideLinks: staying) {
            let stay = policy.fullStayMilliseconds
            let oldest = links.oldest { !$0.isOurs && $0.mayMakeRoom(after: stay, nowMilliseconds: now) }
            if let oldest { links.slots[oldest]?.ending = .wanted }
        }
    }

    /// Whether there is a place for a link of ours. Where there is none, the next is kept for it after a while, and whoever
    /// has come to us first goes.
    mutating func hasPlace(nowMilliseconds now: UInt64) -> Bool {
        if links.stayingCount < placeCount { return true }
        guard let since = waitingSinceMilliseconds else {
            waitingSinceMilliseconds = now
            return false
        }
        guard now >= since + policy.leastStayMilliseconds else { return false }
        isPlaceKept = true
        let stay = policy.leastStayMilliseconds
        return freePlace { !$0.isOurs && $0.mayMakeRoom(after: stay, nowMilliseconds: now) }
    }

    /// Ends the oldest links, of those that may go, until there is a place.
    /// - Returns: whether there is one.
    mutating func freePlace(where mayGo: (Link) -> Bool) -> Bool {
        while links.stayingCount >= placeCount {
            guard let oldest = links.oldest(where: mayGo) else { return false }
            links.slots[oldest]?.ending = .wanted
        }
        return true
    }

    mutating func noteSurplus(_ handle: ConnectionHandle) {
        for index in surplus.indices where surplus[index] == nil {
            surplus[index] = handle
            return
        }
    }

    /// The next to be ended.
    mutating func takeSurplus() -> ConnectionHandle? {
        for index in surplus.indices {
            guard let handle = surplus[index] else { continue }
            surplus[index] = nil
            return handle
        }
        return nil
    }

    /// Whether a link can be made now: one that is ending may still stand in its way.
    var hasSlotForLink: Bool { links.count <= settings.linkLimit && links.count < refusedLinkCount }

    private var placeCount: Int { min(settings.linkLimit, refusedLinkCount) }

    /// The oldest link or, if so configured, the one heard weakest (HP-O04), which is not given time.
    private mutating func linkToDrop(_ recorder: borrowing Recorder, nowMilliseconds now: UInt64) -> Int? {
        guard policy.dropsWeakestLink else {
            let stay = policy.leastStayMilliseconds
            return links.oldest { $0.mayMakeRoom(after: stay, nowMilliseconds: now) }
        }
        var weakest: Int?
        var weakestRSSI: RSSI?
        for index in links.indices {
            guard let link = links.slots[index], link.ending == .no,
                link.mayMakeRoom(after: 1, nowMilliseconds: now)
            else { continue }
            // Who was never heard counts as farthest away.
            let rssi = recorder.rssi(of: link.peer)
            if weakest != nil {
                guard let other = weakestRSSI else { continue }
                if let rssi, rssi >= other { continue }
            }
            weakest = index
            weakestRSSI = rssi
        }
        return weakest
    }
}

extension Link {
    /// Whether it may go for another.
    fileprivate func mayMakeRoom(after stay: UInt64, nowMilliseconds now: UInt64) -> Bool {
        !isPinned && !isSending && now >= openedMilliseconds + stay
    }
}
