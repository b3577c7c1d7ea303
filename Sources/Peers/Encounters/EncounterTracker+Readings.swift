import EncounterLog
import FixedMemory
import HCI

/// Raw mode: the tracker writes every reading, beside the samples that count them.
extension EncounterTracker {
    /// Adds the latest reading to the peer's pack. A candidate's full packs wait with its samples. Once
    /// they exceed the candidate's share, only the samples record the further readings.
    mutating func keepReading(of slot: Int, in peers: inout PeerTable, now: Instant) {
        guard let rssiDBm = peers.slots[slot].rssi?.dBm else { return }
        if readings.packs[slot].append(rssiDBm: rssiDBm, at: now) { return }
        if peers.slots[slot].track.isWritten {
            guard pays(for: Self.packByteCount, of: slot, in: &peers, now: now) else {
                queue.addDropped(1)
                readings.packs[slot] = PackedReadings()
                return
            }
            // If the older packs find no room in the queue, this pack finds none either, and is counted as
            // dropped.
            _ = writeWaiting(of: slot, in: &peers)
            writeReadings(of: slot, in: &peers)
        } else {
            guard readings.kept.count(of: slot) < readings.kept.share(of: slot),
                readings.kept.append(readings.packs[slot], of: slot)
            else { return }
            readings.packs[slot] = PackedReadings()
        }
        _ = readings.packs[slot].append(rssiDBm: rssiDBm, at: now)
    }

    mutating func writeReadings(of slot: Int, in peers: inout PeerTable) {
        guard settings.recordsReadings, !readings.packs[slot].isEmpty else { return }
        queue.push(readings.packs[slot], encounter: peers.slots[slot].track.encounter)
        readings.packs[slot] = PackedReadings()
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
        queue.addDropped(readings.kept.count(of: slot))
        readings.kept.removeAll(of: slot)
    }
}
