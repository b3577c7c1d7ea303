import EncounterLog
import FixedMemory
import HCI
import Schemes

/// Entries that the log takes over, one after the other.
extension Recorder {
    /// The memory of one waiting entry in bytes.
    public static var waitingEntryByteCount: Int { MemoryLayout<PendingEntry>.stride }

    /// The oldest entry that the log has not taken; it stays in the queue until ``dropEntry()``. In line,
    /// because a call would build a log entry of half a kilobyte in memory, which costs 80 instructions for
    /// each report. Mutating although it changes nothing, because otherwise the compiler copies the whole
    /// recorder for each entry.
    @inline(__always)
    public mutating func nextEntry() -> LogEntry? {
        guard let entry = entries.first else { return nil }
        switch entry {
        case .opened(let address, let track):
            return .encounterOpened(
                EncounterOpenedEntry(
                    encounter: track.encounter, monotonicMilliseconds: track.firstMilliseconds,
                    address: address.bytes, addressType: address.addressType, foundBy: track.foundBy))
        case .identified(let slot, let encounter, let milliseconds):
            return .encounterIdentified(
                EncounterIdentifiedEntry(
                    encounter: encounter, monotonicMilliseconds: milliseconds, scheme: SchemeCode(.herald),
                    identity: identities[slot]))
        case .named(let place, let encounter, let milliseconds):
            return namingEntry(place, encounter: encounter, milliseconds: milliseconds)
        case .advertised(let encounter, let milliseconds, let identity):
            return .encounterIdentified(
                EncounterIdentifiedEntry(
                    encounter: encounter, monotonicMilliseconds: milliseconds, scheme: identity.scheme,
                    identity: identity.bytes))
        case .sample(let sample):
            return .sample(sample)
        case .closed(let track):
            return .encounterClosed(
                EncounterClosedEntry(
                    encounter: track.encounter, monotonicMilliseconds: track.lastMilliseconds,
                    readings: track.readings))
        case .details(let encounter, let milliseconds, let detail, let address):
            var value = FixedBuffer<64>()
            try? value.append(address.bytes)
            if detail == .otherAddress { try? value.append(address.addressType) }
            return .peerDetails(
                PeerDetailsEntry(
                    encounter: encounter, monotonicMilliseconds: milliseconds, detail: detail, value: value))
        case .readings(let encounter):
            return readings.waiting.first.map { .readings(ReadingsEntry(encounter: encounter, readings: $0)) }
        case .message, .sharedPayloads, .text, .refused:
            return texts.first.flatMap { Self.entry(entry, saying: $0) }
        }
    }

    /// Drops and counts the oldest entry, which the log has no room for.
    public mutating func loseEntry() {
        counters.dropped &+= 1
        dropEntry()
    }

    public mutating func dropEntry() {
        switch entries.pop() {
        case .readings: _ = readings.waiting.pop()
        case .message, .sharedPayloads, .text, .refused: _ = texts.pop()
        case .opened, .identified, .named, .advertised, .sample, .closed, .details, nil: break
        }
    }

    /// Out of line because it is rare and long; in line, every entry would prepare room for texts.
    @inline(never)
    private static func entry(_ entry: PendingEntry, saying text: FixedBuffer<512>) -> LogEntry? {
        switch entry {
        case .message(let encounter, let milliseconds):
            return .message(
                MessageEntry(encounter: encounter, monotonicMilliseconds: milliseconds, data: text))
        case .sharedPayloads(let encounter, let milliseconds, let rssiDBm):
            return .sharedPayloads(
                SharedPayloadsEntry(
                    encounter: encounter, monotonicMilliseconds: milliseconds, rssiDBm: rssiDBm,
                    payloads: text))
        case .text(let encounter, let milliseconds, let detail):
            let value = FixedBuffer<64>(text.span.extracting(first: min(text.count, 64)))
            return .peerDetails(
                PeerDetailsEntry(
                    encounter: encounter, monotonicMilliseconds: milliseconds, detail: detail,
                    value: value ?? FixedBuffer()))
        case .refused(let encounter, let milliseconds, let scheme, let reason, let marks):
            return .identityRefused(
                IdentityRefusedEntry(
                    encounter: encounter, monotonicMilliseconds: milliseconds, scheme: SchemeCode(scheme),
                    reason: reason, marks: marks, bytes: text))
        case .opened, .identified, .named, .advertised, .sample, .closed, .details, .readings: return nil
        }
    }
}
