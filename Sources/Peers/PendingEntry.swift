import EncounterLog
import HCI

/// An entry before it is packed. An identity, being long, is left in its slot.
enum PendingEntry: BitwiseCopyable {
    case opened(DeviceAddress, Track)
    case identified(slot: Int, encounter: UInt32, milliseconds: UInt64)
    case sample(SampleEntry)
    case closed(Track)
}
