import EncounterLog
import FixedMemory
import HCI

/// RSSI readings on their way to the log in raw mode: the pack of each peer that is being filled, and the
/// packs that wait. In other modes it takes next to no memory.
struct ReadingsBuffer: ~Copyable {
    /// The pack that is being filled, by the peer's slot.
    var packs: FixedArray<PackedReadings>
    /// Full packs of candidates.
    var kept: PendingSamplePool<PackedReadings>
    /// Packs of confirmed peers, in the order of their pending entries.
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

    // One function ends the buffer, instead of a copy at each call site, because that keeps the image small.
    @inline(never)
    deinit {}
}

/// Raw mode: the recorder writes every reading, beside the samples that count them.
extension Recorder {
    /// Adds the latest reading to the peer's pack. A candidate's full packs wait with its samples. Once they
    /// exceed the candidate's share, only the samples record the further readings.
    mutating func keepReading(of slot: Int, nowMilliseconds now: UInt64) {
        guard let rssiDBm = peers.slots[slot].rssi?.dBm else { return }
        if readings.packs[slot].append(rssiDBm: rssiDBm, atMilliseconds: now) { return }
        if peers.slots[slot].track.isWritten {
            // If the older packs find no room in the queue, this pack finds none either, and is counted as
            // dropped.
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

    /// Drops the readings of a peer that gets no entries.
    mutating func dropReadings(of slot: Int) {
        guard settings.recordsReadings else { return }
        readings.packs[slot] = PackedReadings()
        readings.kept.removeAll(of: slot)
    }

    /// Drops the waiting packs of a peer that the queue to the log has no room for, and counts them.
    mutating func dropKeptReadings(of slot: Int) {
        guard settings.recordsReadings else { return }
        counters.dropped &+= UInt32(truncatingIfNeeded: readings.kept.count(of: slot))
        readings.kept.removeAll(of: slot)
    }
}
