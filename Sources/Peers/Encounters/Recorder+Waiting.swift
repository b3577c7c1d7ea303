import EncounterLog
import FixedMemory

/// What is known of a candidate waits until it is confirmed: samples no longer than anybody's, as long as there is room for
/// them, and in raw mode its readings. The rules: docs/peers.md.
extension Recorder {
    /// Ends a sample that has taken its time, or before another power. A candidate's ends at the next reading, so whoever has
    /// something waiting has a sample as well. While there is no room for it, it goes on: a longer
    /// one says more than none.
    mutating func endSample(of slot: Int) {
        if peers.slots[slot].track.isWritten {
            if writeWaiting(of: slot), hasRoom(for: entriesPerSample) { writeSample(of: slot) }
        } else if !peers.slots[slot].track.sample.isEmpty, waiting.evictForIncoming(for: slot) {
            _ = waiting.append(peers.slots[slot].track.takeSample(), of: slot)
        }
    }

    /// Writes what has waited of a peer that is confirmed now, in the order in which it was heard: before anything newer is.
    /// Mostly nothing has, and to see that is not worth a call.
    /// - Returns: false when there is no room for all of it.
    @inline(__always)
    mutating func writeWaiting(of slot: Int) -> Bool {
        let waits =
            waiting.count(of: slot) > 0 || settings.recordsReadings && readings.kept.count(of: slot) > 0
        return !waits || writeAllWaiting(of: slot)
    }

    @inline(never)
    private mutating func writeAllWaiting(of slot: Int) -> Bool {
        guard peers.slots[slot].track.isWritten else { return true }
        if settings.recordsReadings {
            while readings.kept.count(of: slot) > 0 {
                guard hasRoom(for: 1), !readings.waiting.isFull,
                    let pack = readings.kept.takeFirst(of: slot)
                else { return false }
                write(pack, of: slot)
            }
        }
        while waiting.count(of: slot) > 0 {
            guard hasRoom(for: 1), let sample = waiting.takeFirst(of: slot) else { return false }
            push(.sample(sample.entry(encounter: peers.slots[slot].track.encounter)))
        }
        return true
    }

    /// Writes all that is gathered of a peer; what there is no room for is dropped, and counted.
    mutating func writeSample(of slot: Int) {
        if !writeWaiting(of: slot) {
            counters.dropped &+= UInt32(truncatingIfNeeded: waiting.count(of: slot))
            waiting.removeAll(of: slot)
            dropKeptReadings(of: slot)
        }
        guard !peers.slots[slot].track.sample.isEmpty else { return }
        writeReadings(of: slot)
        let encounter = peers.slots[slot].track.encounter
        push(.sample(peers.slots[slot].track.takeSample().entry(encounter: encounter)))
    }

    /// Nothing is left of its encounter.
    mutating func forgetTrack(of slot: Int) {
        peers.slots[slot].track = Track()
        waiting.removeAll(of: slot)
        dropReadings(of: slot)
    }

    /// What may be kept of candidates takes, every place in use.
    public static func waitingCandidatesByteCount(_ settings: RecorderSettings) -> Int {
        let readings = settings.recordsReadings ? settings.waitingReadingsCapacity : 0
        return PendingSamplePool<GatheredSample>.byteCount(
            capacity: settings.waitingSampleCapacity, slotCount: settings.peerCapacity)
            + PendingSamplePool<PackedReadings>.byteCount(
                capacity: readings, slotCount: readings > 0 ? settings.peerCapacity : 0)
    }

    var entriesPerSample: Int { settings.recordsReadings ? 2 : 1 }
}
