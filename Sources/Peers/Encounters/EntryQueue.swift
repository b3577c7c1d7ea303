import EncounterLog
import FixedMemory
import Schemes

/// Entries on their way to the log, oldest first, in fixed memory. An entry without room is dropped and
/// counted.
struct EntryQueue: ~Copyable {
    private(set) var entries: RingBuffer<PendingEntry>
    /// Bytes of messages, shared payloads, details and refused identities, in the order of their entries.
    private(set) var texts: RingBuffer<FixedBuffer<512>>
    /// Packs of readings, in the order of their entries.
    private(set) var packs: RingBuffer<PackedReadings>
    /// Whether entries of peers with identity were pushed since this was last reset.
    var isUrgent = false
    private(set) var droppedCount: UInt32 = 0

    /// The number of messages, shared payloads, models and refused identities that can wait.
    static var textCapacity: Int { 16 }

    init(entryCapacity: Int, packCapacity: Int) throws(MemoryError) {
        let entries = try RingBuffer<PendingEntry>(capacity: entryCapacity, filledWith: .closed(Track()))
        let packs = try RingBuffer<PackedReadings>(capacity: packCapacity, filledWith: PackedReadings())
        let texts = try RingBuffer<FixedBuffer<512>>(
            capacity: Self.textCapacity, filledWith: FixedBuffer())
        self.entries = entries
        self.packs = packs
        self.texts = texts
    }

    func hasRoom(for count: Int) -> Bool { entries.capacity - entries.count >= count }

    @inline(never)
    mutating func push(_ entry: PendingEntry) {
        do throws(CapacityError) { try entries.push(entry) } catch { droppedCount &+= 1 }
    }

    @inline(never)
    mutating func push(_ entry: PendingEntry, saying text: FixedBuffer<512>) {
        guard hasRoom(for: 1), !texts.isFull else { return addDropped(1) }
        try? texts.push(text)
        push(entry)
    }

    @inline(never)
    mutating func push(_ pack: PackedReadings, encounter: UInt32) {
        guard hasRoom(for: 1), !packs.isFull else { return addDropped(1) }
        try? packs.push(pack)
        push(.readings(encounter: encounter))
    }

    /// Counts what its owner drops because the queue has no room for it.
    mutating func addDropped(_ count: Int) { droppedCount &+= UInt32(truncatingIfNeeded: count) }

    /// Removes the oldest entry.
    mutating func dropFirst() {
        switch entries.pop() {
        case .readings: _ = packs.pop()
        case .message, .sharedPayloads, .text, .refused, .contradiction: _ = texts.pop()
        case .opened, .identified, .named, .advertised, .sample, .closed, .details, .claim, nil: break
        }
    }

    /// Drops and counts the entries that refer to a stored identity that is about to be replaced. They
    /// refer to it by slot, or by place for a scheme, and it stays there even after the peer is forgotten.
    mutating func dropReferring(toSlot slot: Int = -1, place: Int = -1) {
        var remaining = entries.count
        while remaining > 0, let entry = entries.pop() {
            remaining -= 1
            switch entry {
            case .identified(slot, _, _, _), .named(place, _, _, _): droppedCount &+= 1
            default: try? entries.push(entry)
            }
        }
    }

    /// The log's form of an entry with a text. Out of line because it is rare and long; in line, every
    /// entry would prepare room for texts.
    @inline(never)
    static func logEntry(_ entry: PendingEntry, saying text: FixedBuffer<512>) -> LogEntry? {
        switch entry {
        case .message(let encounter, let instant):
            return .message(MessageEntry(encounter: encounter, instant: instant, data: text))
        case .sharedPayloads(let encounter, let instant, let rssiDBm):
            return .sharedPayloads(
                SharedPayloadsEntry(encounter: encounter, instant: instant, rssiDBm: rssiDBm, payloads: text))
        case .text(let encounter, let instant, let detail):
            let value = FixedBuffer<64>(text.span.extracting(first: min(text.count, 64)))
            return .peerDetails(
                PeerDetailsEntry(
                    encounter: encounter, instant: instant, detail: detail, value: value ?? FixedBuffer()))
        case .refused(let encounter, let instant, let scheme, let reason, let marks):
            return .identityRefused(
                IdentityRefusedEntry(
                    encounter: encounter, instant: instant, scheme: SchemeCode(scheme),
                    reason: reason, marks: marks, bytes: text))
        case .contradiction(let encounter, let instant):
            return .encounterIdentified(
                EncounterIdentifiedEntry(
                    encounter: encounter, instant: instant, scheme: SchemeCode(.herald), identity: text,
                    marks: .written))
        case .opened, .identified, .named, .advertised, .sample, .closed, .details, .readings, .claim:
            return nil
        }
    }

    // Destroyed in one place, because inlined copies enlarge the board's image.
    @inline(never)
    deinit {}
}
