import EncounterLog
import FixedMemory

/// Everything recorded of a candidate waits until the candidate is confirmed. Its samples are no longer
/// than those of other peers while there is room for them. In raw mode its readings wait, too. The rules:
/// docs/peers.md.
extension EncounterTracker {
    /// Ends a sample that has reached its length, or whose power changes. A candidate's sample ends at the
    /// next reading, so a candidate with something waiting has at least one sample. Without room the sample
    /// continues, because a longer sample is better than none.
    mutating func endSample(of slot: Int, in peers: inout PeerTable, now: Instant) {
        if peers.slots[slot].track.isWritten {
            if writeWaiting(of: slot, in: &peers), queue.hasRoom(for: entriesPerSample),
                paysForNextSample(of: slot, in: &peers, now: now)
            {
                writeSample(of: slot, in: &peers)
            }
        } else if !peers.slots[slot].track.sample.isEmpty, samples.mergeToMakeRoom(for: slot) {
            _ = samples.append(peers.slots[slot].track.takeSample(), of: slot)
        }
    }

    /// Writes all that waits for a confirmed peer, oldest first, before anything newer. In line, because
    /// usually nothing waits and that check is cheaper than a call.
    /// - Returns: false if the queue had no room for all of it.
    @inline(__always)
    mutating func writeWaiting(of slot: Int, in peers: inout PeerTable) -> Bool {
        let waits =
            samples.count(of: slot) > 0 || settings.recordsReadings && readings.kept.count(of: slot) > 0
        return !waits || writeAllWaiting(of: slot, in: &peers)
    }

    @inline(never)
    private mutating func writeAllWaiting(of slot: Int, in peers: inout PeerTable) -> Bool {
        guard peers.slots[slot].track.isWritten else { return true }
        if settings.recordsReadings {
            while readings.kept.count(of: slot) > 0 {
                guard queue.hasRoom(for: 1), !queue.packs.isFull,
                    let pack = readings.kept.takeFirst(of: slot)
                else { return false }
                queue.push(pack, encounter: peers.slots[slot].track.encounter)
            }
        }
        while samples.count(of: slot) > 0 {
            guard queue.hasRoom(for: 1), let sample = samples.takeFirst(of: slot) else { return false }
            queue.push(.sample(sample.entry(encounter: peers.slots[slot].track.encounter)))
        }
        return true
    }

    /// Writes all that is gathered of a peer; drops and counts what finds no room.
    @inline(never)
    mutating func writeSample(of slot: Int, in peers: inout PeerTable) {
        if !writeWaiting(of: slot, in: &peers) {
            queue.addDropped(samples.count(of: slot))
            samples.removeAll(of: slot)
            dropKeptReadings(of: slot)
        }
        if peers.slots[slot].isIdentified { queue.isUrgent = true }
        guard !peers.slots[slot].track.sample.isEmpty else { return }
        writeReadings(of: slot, in: &peers)
        let encounter = peers.slots[slot].track.encounter
        queue.push(.sample(peers.slots[slot].track.takeSample().entry(encounter: encounter)))
    }

    /// The memory of all that may wait for candidates, in bytes, when every place is in use.
    static func waitingByteCount(_ settings: RecorderSettings) -> Int {
        let readings = settings.recordsReadings ? settings.waitingReadingsCapacity : 0
        return PendingSamplePool<GatheredSample>.byteCount(
            capacity: settings.waitingSampleCapacity, slotCount: settings.peerCapacity)
            + PendingSamplePool<PackedReadings>.byteCount(
                capacity: readings, slotCount: readings > 0 ? settings.peerCapacity : 0)
    }

    var entriesPerSample: Int { settings.recordsReadings ? 2 : 1 }
}
