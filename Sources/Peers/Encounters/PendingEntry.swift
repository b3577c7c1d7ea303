import EncounterLog
import FixedMemory
import HCI
import Schemes

/// An entry before it is packed. An identity is long, so the entry only refers to it; packs of readings and
/// texts wait in queues of their own.
enum PendingEntry: BitwiseCopyable {
    case opened(DeviceAddress, Track)
    case identified(slot: Int, encounter: UInt32, instant: Instant, IdentityMarks)
    /// `place` is the identity's place in the ``SchemeLedger``.
    case named(place: Int, encounter: UInt32, instant: Instant, IdentityMarks)
    case advertised(encounter: UInt32, instant: Instant, AdvertisedIdentity)
    case sample(SampleEntry)
    case closed(Track)
    case details(encounter: UInt32, instant: Instant, PeerDetail, DeviceAddress)
    case readings(encounter: UInt32)
    /// The RSSI that the peer of a claimed encounter wrote.
    case claim(encounter: UInt32, instant: Instant, rssiDBm: Int8)
    /// A written Herald identity that differs from the one that was read. The text is the identity.
    case contradiction(encounter: UInt32, instant: Instant)
    // Encounter 0: the peer has no open encounter whose opened entry was written.
    case message(encounter: UInt32, instant: Instant)
    case sharedPayloads(encounter: UInt32, instant: Instant, rssiDBm: Int8)
    case text(encounter: UInt32, instant: Instant, PeerDetail)
    case refused(encounter: UInt32, instant: Instant, SchemeID, IdentityRefusal, IdentityMarks)
}
