import FixedMemory
import HCI

/// The choice of peers to connect to, and the limits of a link's duration.
public struct LinkPolicy: BitwiseCopyable, Sendable {
    /// The timeout of a connection attempt (HP-C13). Of the reference client's connections 99 % were made
    /// within 5 s. During an attempt the agent neither scans nor advertises.
    public var connectTimeout = Interval.seconds(5)
    /// The timeout of the first attempt at a peer. Most peers fail to answer because they are connecting to
    /// another device. Boards that wait for each other in a ring make no progress until one of them gives
    /// up.
    public var firstConnectTimeout = Interval.seconds(2)
    /// The timeout of an attempt at a candidate, which most likely is an unsupported peer: 90 % of
    /// connections were made within 2 s.
    public var probeTimeout = Interval.milliseconds(2_500)
    /// The maximum duration of an outgoing link, also of one that still transfers data.
    public var exchangeTimeout = Interval.seconds(15)
    /// An outgoing link on which the peer sends nothing for this long is stuck.
    public var silenceTimeout = Interval.seconds(5)
    /// The time that an outgoing link stays open after its work while the peer is using it too. Phones read
    /// over any existing link, and would have to connect again if it were cut.
    public var courtesy = Interval.milliseconds(300)
    /// The time that an incoming link may be idle.
    public var idleTimeout = Interval.minutes(1)
    /// The maximum duration of an incoming link, so that no peer holds a slot for ever. A peer with more to
    /// write connects again.
    public var incomingLimit = Interval.minutes(10)
    /// The time for which a link is safe from eviction when all slots are in use. An outgoing connection
    /// waits as long for a slot.
    public var leastStay = Interval.seconds(5)
    /// The maximum duration of an incoming link while the controller accepts no more links, and so no other
    /// peer can connect.
    public var fullStay = Interval.seconds(30)
    /// Whether the link heard weakest is evicted, instead of the oldest (HP-O04).
    public var dropsWeakestLink = false
    /// Only a peer heard within this time is worth an attempt.
    public var freshness = Interval.seconds(4)
    /// A peer heard within this time comes before all others. A phone may have just left another address,
    /// which answers no more.
    public var recency = Interval.seconds(1)

    public init() {}

    /// The order of the next attempt. By nearness alone, strong adverts from ever new addresses would take
    /// every attempt. So every other attempt goes to the longest-known peer; an attacker would have to keep
    /// each of its addresses alive.
    public enum Turn: BitwiseCopyable, Sendable {
        /// The peer with the strongest RSSI.
        case nearest
        /// The peer with the fewest failures, and among these the one known longest.
        case longestKnown

        public var next: Turn { self == .nearest ? .longestKnown : .nearest }
    }

    /// The next peer to read: one whose identity is due and that was heard more than once. Most devices
    /// heard only once would not answer. `isExcluded`: peers to skip, because they have a link already.
    public func nextPeer(
        in peers: borrowing PeerTable, _ exchanges: borrowing ExchangeLedger, turn: Turn,
        now: Instant, allowsCandidates: Bool = true,
        excluding isExcluded: (DeviceAddress) -> Bool = { _ in false }
    ) -> DeviceAddress? {
        var best: Int?
        for standing in 0..<2 {
            // The list runs from the latest sighting to the oldest, so the first stale peer ends it.
            var next = peers.newest(standing == 0 ? .confirmed : .tentative)
            var looks = 0
            while let slot = next, looks < Self.longestLook, isFresh(slot, in: peers, now) {
                looks += 1
                next = peers.older(than: slot)
                guard mayBeRead(slot, in: peers, exchanges, now) else { continue }
                if !allowsCandidates, peers.slots[slot].interest == .candidate { continue }
                if let best, !comes(slot, before: best, turn, in: peers, exchanges, now) { continue }
                if !isExcluded(peers.address(of: slot)) { best = slot }
            }
        }
        return best.map { peers.address(of: $0) }
    }

    /// The number of peers examined in each list, so that a choice takes bounded time. In a larger crowd,
    /// other peers are among the newest each time.
    static let longestLook = 512

    /// The timeout of a connection attempt at such a peer.
    public func connectTimeout(isCandidate: Bool, hasFailed: Bool) -> Interval {
        if isCandidate { return probeTimeout }
        return hasFailed ? connectTimeout : firstConnectTimeout
    }

    func isFresh(_ slot: Int, in peers: borrowing PeerTable, _ now: Instant) -> Bool {
        now <= peers.slots[slot].lastSeen + freshness
    }

    /// Whether the peer's identity, or those of other schemes, should be read now.
    private func mayBeRead(
        _ slot: Int, in peers: borrowing PeerTable, _ exchanges: borrowing ExchangeLedger, _ now: Instant
    ) -> Bool {
        peers.slots[slot].mayBeRead && exchanges.isConnectionDue(to: slot, in: peers, now: now)
            && !isShadowed(slot, in: peers)
    }

    /// Whether a link to the address under which this pseudo address was heard last would be another peer's.
    private func isShadowed(_ slot: Int, in peers: borrowing PeerTable) -> Bool {
        peers.slots[slot].key.isPseudoAddress && peers.find(peers.address(of: slot)) != slot
    }

    private func comes(
        _ slot: Int, before other: Int, _ turn: Turn, in peers: borrowing PeerTable,
        _ exchanges: borrowing ExchangeLedger, _ now: Instant
    ) -> Bool {
        let wasJustHeard = now <= peers.slots[slot].lastSeen + recency
        if wasJustHeard != (now <= peers.slots[other].lastSeen + recency) { return wasJustHeard }
        switch turn {
        case .nearest:
            guard let rssi = peers.slots[slot].rssi, let rival = peers.slots[other].rssi
            else { return false }
            return rssi > rival
        case .longestKnown:
            let failures = exchanges[slot].failures
            let rival = exchanges[other].failures
            if failures != rival { return failures < rival }
            return peers.slots[slot].track.encounter < peers.slots[other].track.encounter
        }
    }
}

extension Peer {
    /// Whether the peer itself allows a connection for its identity.
    fileprivate var mayBeRead: Bool { isConnectable && interest != .advertiser && track.readings >= 2 }
}
