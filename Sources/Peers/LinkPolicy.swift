import FixedMemory
import HCI

/// Whom to connect to, and for how long to put up with a link.
public struct LinkPolicy: BitwiseCopyable, Sendable {
    /// A connection attempt is given up after this (HP-C13). Of the reference client's connections 99 % were made
    /// within 5 s, and while one is attempted the agent neither scans nor advertises.
    public var connectTimeoutMilliseconds: UInt64 = 5_000
    /// A link of ours ends after this, whatever it has brought.
    public var exchangeTimeoutMilliseconds: UInt64 = 15_000
    /// A peer that has not said a word for this long on a link of ours is stuck.
    public var silenceTimeoutMilliseconds: UInt64 = 5_000
    /// Our work done, a link of ours stays open while the peer is using it too: phones read over whatever link there
    /// is, and cutting them off would make them come again.
    public var courtesyMilliseconds: UInt64 = 300
    /// A link made to us may be idle for this long.
    public var idleTimeoutMilliseconds: UInt64 = 60_000
    /// Only somebody heard this lately is worth a try.
    public var freshnessMilliseconds: UInt64 = 4_000

    public init() {}

    /// The nearest peer whose identity is needed and may be asked for now. `isExcluded`: not this one, for it has a
    /// link already.
    public func nextPeer(
        in recorder: borrowing Recorder, nowMilliseconds now: UInt64,
        excluding isExcluded: (DeviceAddress) -> Bool = { _ in false }
    ) -> DeviceAddress? {
        var best: DeviceAddress?
        var bestRSSI: RSSI?
        // The list runs from the latest sighting to older ones, so it ends at the first stale peer.
        var next = recorder.peers.newestFollowed
        while let slot = next {
            let peer = recorder.peers.slots[slot]
            guard now <= peer.lastSeenMilliseconds + freshnessMilliseconds else { break }
            next = recorder.peers.olderFollowed(than: slot)
            guard peer.isConnectable, peer.exchange.progress == .needed,
                now >= peer.exchange.nextAttemptMilliseconds, let rssi = peer.rssi
            else { continue }
            if let nearest = bestRSSI, nearest >= rssi { continue }
            if isExcluded(peer.address) { continue }
            best = peer.address
            bestRSSI = rssi
        }
        return best
    }
}
