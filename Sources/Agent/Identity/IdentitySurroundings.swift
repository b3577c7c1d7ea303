import FixedMemory
import Radio

/// The facts that decide whether the board may have an identity, as they are in one step.
struct IdentitySurroundings: BitwiseCopyable {
    /// The system's clock; nil while nobody has set it.
    let system: WallClockReading?
    /// What to add to monotonic time, as the last sync has told; nil while none has.
    let toldOffsetMilliseconds: UInt64?
    /// Whether the log is encrypted, so that only its owner can read what the board logs about its
    /// identities.
    let isSealed: Bool
    let nowMilliseconds: UInt64
}
