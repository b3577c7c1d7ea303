import FixedMemory

/// The facts that decide whether the board may have an identity, as they are in one step.
struct IdentitySurroundings: BitwiseCopyable {
    /// The system's clock; nil until it is set.
    let system: WallClockReading?
    /// The offset of wall-clock time from monotonic time that the last sync set; nil if none did.
    let syncedOffset: ClockOffset?
    /// Today, as days since 1970, as far as two sources confirm it.
    let confirmedDay: UInt32?
    /// Whether the log is encrypted, so that only its owner can read what the board logs about its
    /// identities.
    let isSealed: Bool
    let now: Instant
}
