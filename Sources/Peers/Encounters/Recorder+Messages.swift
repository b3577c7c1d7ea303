import EncounterLog
import FixedMemory
import HCI

/// Content that peers send beside their identity and RSSI readings.
extension Recorder {
    /// Records an immediate message. It is recorded even without any RSSI reading of its sender.
    public mutating func recordMessage(_ data: FixedBuffer<512>, from address: DeviceAddress, now: Instant) {
        encounters.chargeText(of: data.count, from: peers.find(address), in: &peers, now: now)
        let encounter = writtenEncounter(with: address, now: now) ?? 0
        encounters.queue.push(.message(encounter: encounter, instant: now), saying: data)
    }

    /// Records payloads of other devices that a peer shared. `rssi`: how strongly the sharing peer hears
    /// us.
    public mutating func recordSharedPayloads(
        _ payloads: FixedBuffer<512>, rssi: RSSI?, from address: DeviceAddress, now: Instant
    ) {
        encounters.chargeText(of: payloads.count, from: peers.find(address), in: &peers, now: now)
        encounters.queue.push(
            .sharedPayloads(
                encounter: writtenEncounter(with: address, now: now) ?? 0, instant: now,
                rssiDBm: rssi?.dBm ?? SharedPayloadsEntry.unknownRSSIDBm), saying: payloads)
    }

    /// Records a text that the device gives about itself, cut to 64 bytes. Without a written encounter it
    /// is dropped, because the entry refers to one.
    public mutating func recordDetail(
        _ detail: PeerDetail, _ text: Span<UInt8>, of address: DeviceAddress, now: Instant
    ) {
        guard let encounter = writtenEncounter(with: address, now: now), !text.isEmpty,
            let value = FixedBuffer<512>(text.extracting(first: min(text.count, 64))),
            encounters.paysForText(of: value.count, from: peers.find(address), in: &peers, now: now)
        else { return }
        encounters.queue.push(.text(encounter: encounter, instant: now, detail), saying: value)
    }

    /// The peer's encounter, if it continues and its opened entry is written. A held encounter is written
    /// now if the allowance suffices, because an entry is about to refer to it.
    mutating func writtenEncounter(with address: DeviceAddress, now: Instant) -> UInt32? {
        guard let slot = peers.find(address) else { return nil }
        if !peers.slots[slot].track.hasEnded(at: now, encounterTimeout: encounters.settings.encounterTimeout),
            encounters.admit(slot, in: &peers, now: now)
        {
            writeIdentities(of: slot)
        }
        return encounters.writtenEncounter(of: slot, in: &peers, now: now)
    }
}
