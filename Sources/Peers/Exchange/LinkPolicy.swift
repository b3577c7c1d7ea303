import FixedMemory
import HCI

/// Whom to connect to, and for how long to put up with a link.
public struct LinkPolicy: BitwiseCopyable, Sendable {
    /// A connection attempt is given up after this (HP-C13). Of the reference client's connections 99 % were made
    /// within 5 s, and while one is attempted the agent neither scans nor advertises.
    public var connectTimeoutMilliseconds: UInt64 = 5_000
    /// The same for the first attempt at a peer. Most do not answer because they are just connecting to somebody
    /// themselves: of boards that wait for each other in a ring, none gets on before one gives up.
    public var firstConnectTimeoutMilliseconds: UInt64 = 2_000
    /// The same for a candidate, which most likely is nobody of ours: 90 % of connections were made within 2 s.
    public var probeTimeoutMilliseconds: UInt64 = 2_500
    /// A link of ours ends after this, whatever it has brought.
    public var exchangeTimeoutMilliseconds: UInt64 = 15_000
    /// A peer that has not said a word for this long on a link of ours is stuck.
    public var silenceTimeoutMilliseconds: UInt64 = 5_000
    /// Our work done, a link of ours stays open while the peer is using it too: phones read over whatever link there
    /// is, and cutting them off would make them come again.
    public var courtesyMilliseconds: UInt64 = 300
    /// A link made to us may be idle for this long.
    public var idleTimeoutMilliseconds: UInt64 = 60_000
    /// And this old, whatever happens on it: nobody keeps a place for ever. Who has more to say comes again.
    public var incomingLimitMilliseconds: UInt64 = 600_000
    /// At the limit a link stays for so long before it makes room for another; and whoever is to be connected to waits so long
    /// for a place.
    public var leastStayMilliseconds: UInt64 = 5_000
    /// Where the controller takes no more links, and so nobody else can come, a link made to us stays no longer than this.
    public var fullStayMilliseconds: UInt64 = 30_000
    /// At the limit the link heard weakest goes, and not the oldest (HP-O04).
    public var dropsWeakestLink = false
    /// Only somebody heard this lately is worth a try.
    public var freshnessMilliseconds: UInt64 = 4_000

    public init() {}

    /// Whose turn it is. Going by nearness alone, loud adverts from ever new addresses would take every attempt; so every
    /// other one is for whoever has stayed, which nobody can do from many addresses without keeping them alive.
    public enum Turn: BitwiseCopyable, Sendable {
        /// The one heard best.
        case nearest
        /// The one with the fewest failures, and among these the one known for longest.
        case longestKnown

        public var next: Turn { self == .nearest ? .longestKnown : .nearest }
    }

    /// A peer whose identity is needed and may be asked for now, and who has been heard more than once: most of those
    /// who are not would not answer. `isExcluded`: not this one, for it has a link already.
    public func nextPeer(
        in recorder: borrowing Recorder, turn: Turn, nowMilliseconds now: UInt64,
        allowsCandidates: Bool = true, excluding isExcluded: (DeviceAddress) -> Bool = { _ in false }
    ) -> DeviceAddress? {
        var best: Int?
        for standing in 0..<2 {
            // The list runs from the latest sighting to older ones, so it ends at the first stale peer.
            var next = recorder.peers.newest(standing == 0 ? .confirmed : .tentative)
            var looks = 0
            while let slot = next, looks < Self.longestLook, isFresh(slot, in: recorder, now) {
                looks += 1
                next = recorder.peers.older(than: slot)
                guard mayBeAsked(slot, in: recorder, now) else { continue }
                if !allowsCandidates, recorder.peers.slots[slot].interest == .candidate { continue }
                if let best, !Self.comes(slot, before: best, turn, in: recorder) { continue }
                if !isExcluded(recorder.peers.address(of: slot)) { best = slot }
            }
        }
        return best.map { recorder.peers.address(of: $0) }
    }

    /// Of each list, so that a choice takes bounded time. In a crowd larger than this somebody else is among the newest
    /// each time.
    static let longestLook = 512

    /// An attempt at a connection to it is given up after this.
    public func connectTimeoutMilliseconds(isCandidate: Bool, hasFailed: Bool) -> UInt64 {
        if isCandidate { return probeTimeoutMilliseconds }
        return hasFailed ? connectTimeoutMilliseconds : firstConnectTimeoutMilliseconds
    }

    func isFresh(_ slot: Int, in recorder: borrowing Recorder, _ now: UInt64) -> Bool {
        now <= recorder.peers.slots[slot].lastSeenMilliseconds + freshnessMilliseconds
    }

    /// Whether it is time to read its identity, or those of other schemes.
    private func mayBeAsked(_ slot: Int, in recorder: borrowing Recorder, _ now: UInt64) -> Bool {
        guard recorder.peers.slots[slot].mayBeAsked else { return false }
        let exchange = recorder.peers.slots[slot].exchange
        return switch exchange.progress {
        case .needed: now >= exchange.nextAttemptMilliseconds
        case .running: false
        case .done: recorder.needsSchemes(slot, nowMilliseconds: now)
        }
    }

    private static func comes(
        _ slot: Int, before other: Int, _ turn: Turn, in recorder: borrowing Recorder
    ) -> Bool {
        switch turn {
        case .nearest:
            guard let rssi = recorder.peers.slots[slot].rssi, let rival = recorder.peers.slots[other].rssi
            else { return false }
            return rssi > rival
        case .longestKnown:
            let failures = recorder.peers.slots[slot].exchange.failures
            let rival = recorder.peers.slots[other].exchange.failures
            if failures != rival { return failures < rival }
            return recorder.peers.slots[slot].track.encounter < recorder.peers.slots[other].track.encounter
        }
    }
}

extension Peer {
    /// Whether this peer may be connected to for its identity, as far as the peer goes.
    fileprivate var mayBeAsked: Bool { isConnectable && interest != .advertiser && track.readings >= 2 }
}
