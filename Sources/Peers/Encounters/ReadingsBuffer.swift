import EncounterLog
import FixedMemory
import HCI

/// RSSI readings in raw mode: the pack of each peer that is being filled, and the packs of candidates that
/// wait. In other modes it takes next to no memory.
struct ReadingsBuffer: ~Copyable {
    /// The pack that is being filled, by the peer's slot.
    var packs: FixedArray<PackedReadings>
    /// Full packs of candidates.
    var kept: PendingSamplePool<PackedReadings>

    init(_ settings: RecorderSettings) throws(MemoryError) {
        let isUsed = settings.recordsReadings
        let packs = try FixedArray<PackedReadings>(zeroed: isUsed ? settings.peerCapacity : 1)
        let kept = try PendingSamplePool<PackedReadings>(
            capacity: isUsed ? settings.waitingReadingsCapacity : 1,
            slotCount: isUsed ? settings.peerCapacity : 1, longestList: settings.longestWaitingReadings)
        self.packs = packs
        self.kept = kept
    }

    // Destroyed in one place, because inlined copies enlarge the board's image.
    @inline(never)
    deinit {}
}
