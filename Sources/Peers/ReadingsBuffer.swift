import EncounterLog
import FixedMemory
import HCI

/// Readings on their way to the log, where each is to be written: what is gathered of every peer, and the packs that
/// wait. Otherwise it takes no memory to speak of.
struct ReadingsBuffer: ~Copyable {
    /// By the peer's slot.
    var packs: FixedArray<PackedReadings>
    /// In the order of their pending entries.
    var waiting: RingBuffer<PackedReadings>

    init(_ settings: RecorderSettings) throws(MemoryError) {
        let isUsed = settings.recordsReadings
        let packs = try FixedArray<PackedReadings>(zeroed: isUsed ? settings.peerCapacity : 1)
        let waiting = try RingBuffer<PackedReadings>(
            capacity: isUsed ? settings.readingsCapacity : 1, filledWith: PackedReadings())
        self.packs = packs
        self.waiting = waiting
    }

    // Ended in one place, not wherever one is given up: for the image's size.
    @inline(never)
    deinit {}
}

/// Raw mode: every reading is written, beside the samples that count them.
extension Recorder {
    /// Adds the latest reading to the peer's pack. A candidate's waits with all else that is known of it; when that is more than
    /// a pack holds, the samples alone tell of the rest.
    mutating func keepReading(of slot: Int, nowMilliseconds now: UInt64) {
        guard let rssiDBm = peers.slots[slot].rssi?.dBm else { return }
        if readings.packs[slot].append(rssiDBm: rssiDBm, atMilliseconds: now) { return }
        guard peers.slots[slot].track.isWritten else { return }
        writeReadings(of: slot)
        _ = readings.packs[slot].append(rssiDBm: rssiDBm, atMilliseconds: now)
    }

    mutating func writeReadings(of slot: Int) {
        guard settings.recordsReadings, !readings.packs[slot].isEmpty else { return }
        defer { readings.packs[slot] = PackedReadings() }
        guard hasRoom(for: 1) else {
            counters.dropped &+= 1
            return
        }
        do throws(CapacityError) {
            try readings.waiting.push(readings.packs[slot])
            push(.readings(encounter: peers.slots[slot].track.encounter))
        } catch {
            counters.dropped &+= 1
        }
    }

    /// What nothing is to be written of.
    mutating func dropReadings(of slot: Int) {
        if settings.recordsReadings { readings.packs[slot] = PackedReadings() }
    }
}
