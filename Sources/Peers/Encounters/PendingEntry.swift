import EncounterLog
import HCI
import Schemes

/// An entry before it is packed. An identity is long, so the entry only refers to it; packs of readings and
/// texts wait in queues of their own.
enum PendingEntry: BitwiseCopyable {
    case opened(DeviceAddress, Track)
    case identified(slot: Int, encounter: UInt32, milliseconds: UInt64)
    /// `place` is an place in the ``SchemeLedger``.
    case named(place: Int, encounter: UInt32, milliseconds: UInt64)
    case advertised(encounter: UInt32, milliseconds: UInt64, AdvertisedIdentity)
    case sample(SampleEntry)
    case closed(Track)
    case details(encounter: UInt32, milliseconds: UInt64, PeerDetail, DeviceAddress)
    case readings(encounter: UInt32)
    // Encounter 0 means that there is none.
    case message(encounter: UInt32, milliseconds: UInt64)
    case sharedPayloads(encounter: UInt32, milliseconds: UInt64, rssiDBm: Int8)
    case text(encounter: UInt32, milliseconds: UInt64, PeerDetail)
    case refused(
        encounter: UInt32, milliseconds: UInt64, SchemeID, IdentityRefusal, IdentityMarks)
}
