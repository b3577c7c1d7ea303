import EncounterLog
import HCI

/// An entry before it is packed. An identity, being long, is left in its slot; readings wait in a queue of their own.
enum PendingEntry: BitwiseCopyable {
    case opened(DeviceAddress, Track)
    case identified(slot: Int, encounter: UInt32, milliseconds: UInt64)
    case sample(SampleEntry)
    case closed(Track)
    case details(encounter: UInt32, milliseconds: UInt64, PeerDetail, DeviceAddress)
    case readings(encounter: UInt32)
}
