import EncounterLog
import FixedMemory
import HCI

/// Content that peers send beside their identity and RSSI readings.
extension Recorder {
    /// The number of messages, shared payloads, models and refused identities that can wait for the log.
    static var textCapacity: Int { 16 }

    /// Records an immediate message. It is recorded even without any RSSI reading of its sender.
    public mutating func noteMessage(
        _ data: FixedBuffer<512>, from address: DeviceAddress, nowMilliseconds now: UInt64
    ) {
        let encounter = writtenEncounter(with: address, nowMilliseconds: now) ?? 0
        push(.message(encounter: encounter, milliseconds: now), saying: data)
    }

    /// Records payloads of other devices that a peer shared. `rssi`: how strongly the sharing peer hears us.
    public mutating func noteSharedPayloads(
        _ payloads: FixedBuffer<512>, rssi: RSSI?, from address: DeviceAddress, nowMilliseconds now: UInt64
    ) {
        push(
            .sharedPayloads(
                encounter: writtenEncounter(with: address, nowMilliseconds: now) ?? 0, milliseconds: now,
                rssiDBm: rssi?.dBm ?? SharedPayloadsEntry.unknownRSSIDBm), saying: payloads)
    }

    /// Records a text that the device gives about itself, cut to 64 bytes. Without a written encounter it is
    /// dropped, because the entry refers to one.
    public mutating func noteDetail(
        _ detail: PeerDetail, _ text: Span<UInt8>, of address: DeviceAddress, nowMilliseconds now: UInt64
    ) {
        guard let encounter = writtenEncounter(with: address, nowMilliseconds: now), !text.isEmpty,
            let value = FixedBuffer<512>(text.extracting(first: min(text.count, 64)))
        else { return }
        push(.text(encounter: encounter, milliseconds: now, detail), saying: value)
    }

    /// The peer's encounter, if it continues and its opened entry is written.
    func writtenEncounter(with address: DeviceAddress, nowMilliseconds now: UInt64) -> UInt32? {
        guard let slot = peers.find(address), peers.slots[slot].track.isWritten,
            !peers.slots[slot].track.hasEnded(atMilliseconds: now, gapMilliseconds: settings.gapMilliseconds)
        else { return nil }
        return peers.slots[slot].track.encounter
    }

    mutating func push(_ entry: PendingEntry, saying text: FixedBuffer<512>) {
        guard hasRoom(for: 1), !texts.isFull else {
            counters.dropped &+= 1
            return
        }
        try? texts.push(text)
        push(entry)
    }
}
