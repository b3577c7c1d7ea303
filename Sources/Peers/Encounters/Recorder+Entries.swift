import EncounterLog
import FixedMemory
import HCI
import Schemes

/// Entries that the log takes over, one after the other.
extension Recorder {
    /// The memory of all that may wait for candidates, in bytes, when every place is in use.
    public static func waitingCandidatesByteCount(_ settings: RecorderSettings) -> Int {
        EncounterTracker.waitingByteCount(settings)
    }

    /// The memory of one waiting entry in bytes.
    public static var waitingEntryByteCount: Int { MemoryLayout<PendingEntry>.stride }

    /// The oldest entry that the log has not taken; it stays in the queue until ``dropEntry()``. In line,
    /// because a call would build a log entry of half a kilobyte in memory, which costs 80 instructions for
    /// each report. Mutating although it changes nothing, because otherwise the compiler copies the whole
    /// recorder for each entry.
    @inline(__always)
    public mutating func nextEntry() -> LogEntry? {
        guard let entry = encounters.queue.entries.first else { return nil }
        switch entry {
        case .opened(let address, let track):
            return .encounterOpened(
                EncounterOpenedEntry(
                    encounter: track.encounter, instant: track.first,
                    address: address.bytes, addressType: address.addressType, foundBy: track.foundBy))
        case .identified(let slot, let encounter, let instant, let marks):
            return .encounterIdentified(
                EncounterIdentifiedEntry(
                    encounter: encounter, instant: instant, scheme: SchemeCode(.herald),
                    identity: exchanges.identities[slot], marks: marks))
        case .named(let place, let encounter, let instant, let marks):
            return exchanges.schemes.entry(at: place, encounter: encounter, instant: instant, marks)
        case .advertised(let encounter, let instant, let identity):
            return .encounterIdentified(
                EncounterIdentifiedEntry(
                    encounter: encounter, instant: instant, scheme: identity.scheme,
                    identity: identity.bytes))
        case .sample(let sample):
            return .sample(sample)
        case .closed(let track):
            return .encounterClosed(
                EncounterClosedEntry(
                    encounter: track.encounter, instant: track.last, readings: track.readings))
        case .details(let encounter, let instant, let detail, let address):
            var value = FixedBuffer<64>()
            try? value.append(address.bytes)
            if detail == .otherAddress { try? value.append(address.addressType) }
            return .peerDetails(
                PeerDetailsEntry(encounter: encounter, instant: instant, detail: detail, value: value))
        case .readings(let encounter):
            return encounters.queue.packs.first.map {
                .readings(ReadingsEntry(encounter: encounter, readings: $0))
            }
        case .claim(let encounter, let instant, let rssiDBm):
            var value = FixedBuffer<64>()
            try? value.append(UInt8(bitPattern: rssiDBm))
            return .peerDetails(
                PeerDetailsEntry(encounter: encounter, instant: instant, detail: .writtenRSSI, value: value))
        case .message, .sharedPayloads, .text, .refused, .contradiction:
            return encounters.queue.texts.first.flatMap { EntryQueue.logEntry(entry, saying: $0) }
        }
    }

    /// Whether entries of peers that have given their identity came since this was last reset. Those of
    /// other peers may wait for the log's medium.
    public var hasUrgentEntries: Bool {
        get { encounters.queue.isUrgent }
        set { encounters.queue.isUrgent = newValue }
    }

    /// Drops and counts the oldest entry, which the log has no room for.
    public mutating func loseEntry() {
        encounters.queue.addDropped(1)
        dropEntry()
    }

    @inline(never)
    public mutating func dropEntry() { encounters.queue.dropFirst() }
}
