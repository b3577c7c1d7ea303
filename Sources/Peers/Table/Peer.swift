import EncounterLog
import FixedMemory
import HCI

/// A device on the air, known by its address or pseudo device address for as long as that lasts.
public struct Peer: BitwiseCopyable, Sendable {
    // What every report reads or writes comes first, in as few cache lines as may be.
    public internal(set) var key: PeerKey
    public internal(set) var lastSeenMilliseconds: UInt64 = 0
    public internal(set) var interest = PeerInterest.ignored
    public internal(set) var standing = PeerStanding.ignored
    public internal(set) var isConnectable = false
    private var rawRSSI = RSSI.unknownDBm
    private(set) var rawTransmitPower = TransmitPower.unknownDBm
    /// By what it was recognised when its interest last grew.
    public internal(set) var foundBy = PeerHint.heraldService
    /// What is known of its identity, and when to ask (again).
    public internal(set) var exchange = Exchange()
    var track = Track()
    /// When a link last told that it is there, and when it had been heard before that.
    var linkMilliseconds = UInt64.max
    var heardMilliseconds: UInt64 = 0

    @inline(__always)
    init(key: PeerKey) { self.key = key }

    /// When the scan last heard it; 0: never.
    public var lastHeardMilliseconds: UInt64 {
        lastSeenMilliseconds == linkMilliseconds ? heardMilliseconds : lastSeenMilliseconds
    }

    /// The latest reading.
    @inline(__always)
    public var rssi: RSSI? { RSSI(dBm: rawRSSI) }
    /// What it said last that it sends with.
    public var transmitPower: TransmitPower? { TransmitPower(dBm: rawTransmitPower) }

    /// Notes that it was seen, and takes over what an advert tells. Returns what it was so far.
    @inline(__always)
    mutating func note(
        _ sighting: Sighting, nowMilliseconds now: UInt64
    ) -> (interest: PeerInterest, standing: PeerStanding) {
        lastSeenMilliseconds = now
        return (note(sighting), standing)
    }

    /// Takes over what an advert tells of its sender. Returns the interest there was so far.
    @inline(__always)
    mutating func note(_ sighting: Sighting) -> PeerInterest {
        if sighting.rawTransmitPower != rawTransmitPower,
            sighting.rawTransmitPower != TransmitPower.unknownDBm
        {
            rawTransmitPower = sighting.rawTransmitPower
            track.turnAtNextReading()
        }
        // Not a condition: which adverts are, no processor can foresee.
        isConnectable = isConnectable || sighting.isConnectable
        if sighting.rssi != nil { rawRSSI = sighting.rawRSSI }
        return interest
    }

    /// An unused slot.
    static var empty: Peer { Peer(key: PeerKey(DeviceAddress(value: 0, isRandom: false))) }
}

/// Why a peer is followed, weakest first. It only ever grows while the peer is known.
public enum PeerInterest: UInt8, BitwiseCopyable, Comparable, Sendable {
    /// Nothing we follow.
    case ignored
    /// May be one of ours: only a connection can tell (an iPhone in the background).
    case candidate
    /// Of a scheme whose adverts say it all: recorded, and not asked for anything.
    case advertiser
    /// One of ours, by its advert or by its services.
    case participant

    public static func < (left: PeerInterest, right: PeerInterest) -> Bool { left.rawValue < right.rawValue }
}
