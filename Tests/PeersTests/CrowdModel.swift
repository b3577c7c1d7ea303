import FixedMemory
import HCI
import Peers
import TestSupport

/// A simple model of ``PeerTable``'s rule about which peers it holds and evicts, for tests to compare with.
struct CrowdModel {
    struct Known {
        var standing = PeerStanding.ignored
        var interest = PeerInterest.ignored
        /// The number of the last sighting or change of standing; grows.
        var place = 0
        var lastSeen = Instant.start
        var encounter: ClosedRange<Instant>?
        /// Whether an attempt to read it has failed, which makes the table remember it longer.
        var hasFailed = false
    }

    let capacity: Int
    let settings: RecorderSettings
    private(set) var peers: [DeviceAddress: Known] = [:]
    private(set) var evicted = 0
    private(set) var turnedAway = 0
    private var lastPlace = 0

    init(_ settings: RecorderSettings) {
        capacity = settings.peerCapacity
        self.settings = settings
    }

    mutating func hear(_ address: DeviceAddress, _ interest: PeerInterest, hasReading: Bool, now: Instant) {
        guard letIn(address, isFollowed: interest != .ignored, now: now) else { return }
        change(address) { model, peer in
            peer.lastSeen = now
            peer.place = model.nextPlace()
            model.raise(&peer, to: interest)
            guard hasReading, peer.interest != .ignored else { return }
            let start = model.hasEnded(peer, now: now) ? now : peer.encounter?.lowerBound ?? now
            peer.encounter = start...now
            if now >= start + model.settings.proving { model.establish(&peer) }
        }
    }

    mutating func identify(_ address: DeviceAddress, now: Instant) {
        let isNew = peers[address] == nil
        guard letIn(address, isFollowed: true, now: now) else { return }
        change(address) { model, peer in
            if isNew { peer.lastSeen = now }
            model.raise(&peer, to: .participant)
            model.establish(&peer)
        }
    }

    mutating func markUnsupported(_ address: DeviceAddress) {
        change(address) { model, peer in
            if peer.interest == .candidate { peer = Known(place: model.nextPlace(), lastSeen: peer.lastSeen) }
            peer.hasFailed = true
        }
    }

    mutating func advance(now: Instant) {
        for (address, peer) in peers where peer.standing != .ignored && hasEnded(peer, now: now) {
            let kept =
                peer.standing == .tentative && !peer.hasFailed
                ? settings.encounterTimeout : settings.forget
            peers[address] = now > peer.lastSeen + kept ? nil : peer
            peers[address]?.encounter = nil
        }
    }

    /// Whether the peer is in the table now.
    private mutating func letIn(_ address: DeviceAddress, isFollowed: Bool, now: Instant) -> Bool {
        if peers[address] != nil { return true }
        if peers.count == capacity {
            guard let victim = victim(isFollowed: isFollowed, now: now) else {
                turnedAway += 1
                return false
            }
            peers[victim] = nil
            evicted += 1
        }
        peers[address] = Known(place: nextPlace())
        return true
    }

    private func victim(isFollowed: Bool, now: Instant) -> DeviceAddress? {
        func oldest(_ standing: PeerStanding) -> DeviceAddress? {
            peers.filter { $0.value.standing == standing }.min { $0.value.place < $1.value.place }?.key
        }
        if let ignored = oldest(.ignored) { return ignored }
        guard isFollowed else { return nil }
        let tentativePeers = peers.values.count { $0.standing == .tentative }
        if tentativePeers > capacity / 4 { return oldest(.tentative) }
        if let established = oldest(.confirmed), peers[established].map({ hasEnded($0, now: now) }) == true {
            return established
        }
        return oldest(.tentative)
    }

    private func hasEnded(_ peer: Known, now: Instant) -> Bool {
        guard let encounter = peer.encounter else { return true }
        return now > encounter.upperBound + settings.encounterTimeout
    }

    private mutating func raise(_ peer: inout Known, to interest: PeerInterest) {
        peer.interest = max(peer.interest, interest)
        guard peer.interest != .ignored, peer.standing == .ignored else { return }
        peer.standing = .tentative
        peer.place = nextPlace()
    }

    private mutating func establish(_ peer: inout Known) {
        guard peer.standing == .tentative else { return }
        peer.standing = .confirmed
        peer.place = nextPlace()
    }

    private mutating func nextPlace() -> Int {
        lastPlace += 1
        return lastPlace
    }

    private mutating func change(_ address: DeviceAddress, _ body: (inout Self, inout Known) -> Void) {
        guard var peer = peers[address] else { return }
        body(&self, &peer)
        peers[address] = peer
    }
}
