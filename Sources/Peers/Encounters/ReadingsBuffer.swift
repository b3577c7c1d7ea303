import EncounterLog
import FixedMemory
import HCI

/// Readings on their way to the log, where each is to be written: what is gathered of every peer, and the packs that
/// wait. Otherwise it takes no memory to speak of.
struct ReadingsBuffer: ~Copyable {
    /// By the peer's slot.
    var packs: FixedArray<PackedReadings>
    /// Full ones of candidates.
    var kept: PendingSamplePool<PackedReadings>
    /// In the order of their pending entries.
    var waiting: RingBuffer<PackedReadings>

    init(_ settings: RecorderSettings) throws(MemoryError) {
        let isUsed = settings.recordsReadings
        let packs = try FixedArray<PackedReadings>(zeroed: isUsed ? settings.peerCapacity : 1)
        let waiting = try RingBuffer<PackedReadings>(
            capacity: isUsed ? settings.readingsCapacity : 1, filledWith: PackedReadings())
        let kept = try PendingSamplePool<PackedReadings>(
            capacity: isUsed ? settings.waitingReadingsCapacity : 1,
            slotCount: isUsed ? settings.peerCapacity : 1, longestList: settings.longestWaitingReadings)
        self.packs = packs
        self.kept = kept
        self.waiting = waiting
    }

    // Ended in one place, not wherever one is given up: for the image's size.
    @inline(never)
    deinit {}
}

/// Raw mode: every reading is written, beside the samples that count them.
extension Recorder {
    /// Adds the latest reading to the peer's pack. A candidate's full packs wait with all else that is known of it; when they are
    /// more than its part of the places for them, the samples alone tell of the rest.
    mutating func keepReading(of slot: Int, nowMilliseconds now: UInt64) {
        guard let rssiDBm = peers.slots[slot].rssi?.dBm else { return }
        if readings.packs[slot].append(rssiDBm: rssiDBm, atMilliseconds: now) { return }
        if peers.slots[slot].track.isWritten {
            // Where there is no room for those there is none for this.
            _ = writeWaiting(of: slot)
            writeReadings(of: slot)
        } else {
            guard readings.kept.count(of: slot) < readings.kept.share(of: slot),
                readings.kept.append(readings.packs[slot], of: slot)
            else { return }
            readings.packs[slot] = PackedReadings()
        }
        _ = readings.packs[slot].append(rssiDBm: rssiDBm, atMilliseconds: now)
    }

    mutating func writeReadings(of slot: Int) {
        guard settings.recordsReadings, !readings.packs[slot].isEmpty else { return }
        write(readings.packs[slot], of: slot)
        readings.packs[slot] = PackedReadings()
    }

    mutating func write(_ pack: PackedReadings, of slot: Int) {
        guard hasRoom(for: 1) else {
            counters.dropped &+= 1
            return
        }
        do throws(CapacityError) {
            try readings.waiting.push(pack)
            push(.readings(encounter: peers.slots[slot].track.encounter))
        } catch {
            counters.dropped &+= 1
        }
    }

    /// What nothing is to be written of.
    mutating func dropReadings(of slot: Int) {
        guard settings.recordsReadings else { return }
        readings.packs[slot] = PackedReadings()
        readings.kept.removeAll(of: slot)
    }

    /// There is no room for them in the log.
    mutating func dropKeptReadings(of slot: Int) {
        guard settings.recordsReadings else { return }
        counters.dropped &+= UInt32(truncatingIfNeeded: readings.kept.count(of: slot))
        readings.kept.removeAll(of: slot)
    }
}
