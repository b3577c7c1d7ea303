import EncounterLog
import FixedMemory
import HCI

/// A device on the air, identified by its address or pseudo device address for as long as that lasts.
public struct Peer: BitwiseCopyable, Sendable {
    // The properties that every report reads or writes come first, in as few cache lines as possible.
    public internal(set) var key: PeerKey
    public internal(set) var lastSeen = Instant.start
    public internal(set) var interest = PeerInterest.ignored
    public internal(set) var standing = PeerStanding.ignored
    public internal(set) var isConnectable = false
    private var rawRSSI = RSSI.unknownDBm
    private(set) var rawTransmitPower = TransmitPower.unknownDBm
    /// The hint by which the peer was recognised when its interest last grew.
    public internal(set) var foundBy = PeerHint.heraldService
    /// Whether the peer has given its identity over a link. An advert can claim any identity.
    public internal(set) var isIdentified = false
    var track = Track()
    /// The time at which a link last showed the peer, and the time at which the scan had last heard it
    /// before that.
    var link = Instant.distantFuture
    var heard = Instant.start

    @inline(__always)
    init(key: PeerKey) { self.key = key }

    /// When the scan last heard the peer; 0 if it never did.
    public var lastHeard: Instant {
        lastSeen == link ? heard : lastSeen
    }

    /// The peer's latest RSSI reading.
    @inline(__always)
    public var rssi: RSSI? { RSSI(dBm: rawRSSI) }
    /// The transmit power that the peer stated last.
    public var transmitPower: TransmitPower? { TransmitPower(dBm: rawTransmitPower) }

    /// Records a sighting and its time. Returns the interest and standing before it.
    @inline(__always)
    mutating func take(
        _ sighting: Sighting, now: Instant
    ) -> (interest: PeerInterest, standing: PeerStanding) {
        lastSeen = now
        return (take(sighting), standing)
    }

    /// Takes over an advert's content about its sender. Returns the interest before it.
    @inline(__always)
    mutating func take(_ sighting: Sighting) -> PeerInterest {
        if sighting.rawTransmitPower != rawTransmitPower,
            sighting.rawTransmitPower != TransmitPower.unknownDBm
        {
            rawTransmitPower = sighting.rawTransmitPower
            track.turnAtNextReading()
        }
        // Not a branch, because the processor cannot predict which adverts are connectable.
        isConnectable = isConnectable || sighting.isConnectable
        if sighting.rssi != nil { rawRSSI = sighting.rawRSSI }
        return interest
    }

    /// The content of an unused slot.
    static var empty: Peer { Peer(key: PeerKey(DeviceAddress(value: 0, isRandom: false))) }
}

/// Why a peer is followed, weakest first. The interest only grows, until ``PeerTable/dropInterest(in:)``
/// resets it.
public enum PeerInterest: UInt8, BitwiseCopyable, Comparable, Sendable {
    /// The agent does not follow the peer.
    case ignored
    /// The peer may run one of our protocols, but only a connection can show it (an iPhone in the
    /// background).
    case candidate
    /// The agent records the peer by its adverts alone, and never connects to read it.
    case advertiser
    /// The peer takes part, as its advert or its services show.
    case participant

    public static func < (left: PeerInterest, right: PeerInterest) -> Bool { left.rawValue < right.rawValue }
}
