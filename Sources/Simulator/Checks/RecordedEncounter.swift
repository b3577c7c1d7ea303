import EncounterLog
import FixedMemory
import HCI

/// An encounter according to the log, as ``EncountersAreTrue`` compares it with what was heard.
struct RecordedEncounter {
    let address: DeviceAddress
    let first: Instant
    /// The other addresses under which the encounter continued, and when the agent noticed each.
    var continuations: [(address: DeviceAddress, instant: Instant)] = []
    /// The readings of encounters that turned out to be of the same device and were merged into this
    /// one.
    var absorbedReadings: UInt64 = 0
    var closing: EncounterClosedEntry?
}
