import EncounterLog
import FixedMemory

extension LogEntry {
    /// The track that the entry belongs to; nil if it concerns the board or no known peer.
    var encounter: UInt32? {
        switch self {
        case .encounterOpened(let entry): entry.encounter
        case .encounterIdentified(let entry): entry.encounter
        case .identityReference(let entry): entry.encounter
        case .sample(let entry): entry.encounter
        case .encounterClosed(let entry): entry.encounter
        case .readings(let entry): entry.encounter
        case .peerDetails(let entry): entry.encounter
        case .message(let entry): entry.encounter
        case .sharedPayloads(let entry): entry.encounter
        case .identityRefused(let entry): entry.encounter
        case .boot, .anchor, .coverage, .radio, .ownIdentity, .ownKey, .configuration, .gap, .acknowledgement,
            .marker, .battery:
            nil
        }
    }

    /// The scheme that the entry belongs to; nil if it belongs to none in particular. Only Herald devices
    /// send messages, share payloads and have pseudo device addresses.
    var scheme: SchemeCode? {
        switch self {
        case .encounterIdentified(let entry): entry.scheme
        case .identityReference(let entry): entry.scheme
        case .identityRefused(let entry): entry.scheme
        case .message, .sharedPayloads: SchemeCode(.herald)
        case .peerDetails(let entry): entry.detail == .pseudoAddress ? SchemeCode(.herald) : nil
        case .encounterOpened, .sample, .encounterClosed, .readings, .boot, .anchor, .coverage, .radio,
            .ownIdentity, .ownKey, .configuration, .gap, .acknowledgement, .marker, .battery:
            nil
        }
    }

    /// True if the entry contains this identity, including in shared payloads, in a message or as the board's
    /// own identity.
    func holds(_ identity: Identity) -> Bool {
        switch self {
        case .encounterIdentified(let entry):
            return Identity(entry) == identity
        case .identityReference(let entry):
            return entry.scheme == identity.scheme && entry.hash == identity.hash
        case .ownIdentity(let entry): return entry.identity.span.holds(identity.name)
        case .sharedPayloads(let entry): return entry.payloads.span.holds(identity.name)
        case .message(let entry): return entry.data.span.holds(identity.name)
        case .identityRefused(let entry): return entry.bytes.span.holds(identity.name)
        case .peerDetails(let entry): return entry.value.span.holds(identity.name)
        case .encounterOpened, .sample, .encounterClosed, .readings, .boot, .anchor, .coverage, .radio,
            .ownKey, .configuration, .gap, .acknowledgement, .marker, .battery:
            return false
        }
    }
}

extension Identity {
    init(_ entry: EncounterIdentifiedEntry) {
        self.init(scheme: entry.scheme, payload: [UInt8](copying: entry.identity.span))
    }
}

extension Span<UInt8> {
    /// True if the span contains the part anywhere. An empty part is never contained.
    fileprivate func holds(_ part: ArraySlice<UInt8>) -> Bool {
        guard !part.isEmpty, part.count <= count else { return false }
        return (0...count - part.count).contains { start in
            part.indices.allSatisfy { self[start + $0 - part.startIndex] == part[$0] }
        }
    }
}
