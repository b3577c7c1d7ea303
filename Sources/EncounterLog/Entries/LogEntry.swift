import FixedMemory

/// One record of the log. On flash: kind (1 byte), length of the body (LEB128, 1 or 2 bytes), body.
public enum LogEntry: Equatable, BitwiseCopyable, Sendable {
    case boot(BootEntry)
    case anchor(AnchorEntry)
    case encounterOpened(EncounterOpenedEntry)
    case encounterIdentified(EncounterIdentifiedEntry)
    case sample(SampleEntry)
    case encounterClosed(EncounterClosedEntry)
    case coverage(CoverageEntry)
    case radio(RadioEntry)
    case message(MessageEntry)
    case sharedPayloads(SharedPayloadsEntry)
    case ownIdentity(OwnIdentityEntry)
    case readings(ReadingsEntry)
    case peerDetails(PeerDetailsEntry)
    case configuration(ConfigurationEntry)
    case gap(GapEntry)
    case acknowledgement(AcknowledgementEntry)
    case identityRefused(IdentityRefusedEntry)
    /// Replaces ``encounterIdentified(_:)`` where the segment already contains the identity. Only pages hold
    /// it; no caller appends it.
    case identityReference(IdentityReferenceEntry)
    case ownKey(OwnKeyEntry)
    case marker(MarkerEntry)
    case battery(BatteryEntry)

    /// The first byte of an entry on flash. Other values are kinds of later versions, which readers skip.
    enum Kind: UInt8 {
        case boot = 1
        case anchor = 2
        case encounterOpened = 3
        case encounterIdentified = 4
        case sample = 5
        case encounterClosed = 6
        case coverage = 7
        case radio = 8
        case message = 9
        case sharedPayloads = 10
        case readings = 11
        case peerDetails = 12
        case ownIdentity = 13
        case configuration = 14
        case gap = 15
        case acknowledgement = 16
        case identityRefused = 17
        case identityReference = 18
        case ownKey = 19
        case marker = 20
        case battery = 21
    }

    /// A buffer for the largest body: an identity of 512 bytes and the numbers before it.
    typealias BodyBuffer = FixedBuffer<536>

    var kind: Kind {
        switch self {
        case .boot: .boot
        case .anchor: .anchor
        case .encounterOpened: .encounterOpened
        case .encounterIdentified: .encounterIdentified
        case .sample: .sample
        case .encounterClosed: .encounterClosed
        case .coverage: .coverage
        case .radio: .radio
        case .message: .message
        case .sharedPayloads: .sharedPayloads
        case .ownIdentity: .ownIdentity
        case .readings: .readings
        case .peerDetails: .peerDetails
        case .configuration: .configuration
        case .gap: .gap
        case .acknowledgement: .acknowledgement
        case .identityRefused: .identityRefused
        case .identityReference: .identityReference
        case .ownKey: .ownKey
        case .marker: .marker
        case .battery: .battery
        }
    }

    func encodeBody(into body: inout BodyBuffer) throws(CapacityError) {
        switch self {
        case .boot(let entry): try entry.encode(into: &body)
        case .anchor(let entry): try entry.encode(into: &body)
        case .encounterOpened(let entry): try entry.encode(into: &body)
        case .encounterIdentified(let entry): try entry.encode(into: &body)
        case .sample(let entry): try entry.encode(into: &body)
        case .encounterClosed(let entry): try entry.encode(into: &body)
        case .coverage(let entry): try entry.encode(into: &body)
        case .radio(let entry): try entry.encode(into: &body)
        case .message(let entry): try entry.encode(into: &body)
        case .sharedPayloads(let entry): try entry.encode(into: &body)
        case .ownIdentity(let entry): try entry.encode(into: &body)
        case .readings(let entry): try entry.encode(into: &body)
        case .peerDetails(let entry): try entry.encode(into: &body)
        case .configuration(let entry): try entry.encode(into: &body)
        case .gap(let entry): try entry.encode(into: &body)
        case .acknowledgement(let entry): try entry.encode(into: &body)
        case .identityRefused(let entry): try entry.encode(into: &body)
        case .identityReference(let entry): try entry.encode(into: &body)
        case .ownKey(let entry): try entry.encode(into: &body)
        case .marker(let entry): try entry.encode(into: &body)
        case .battery(let entry): try entry.encode(into: &body)
        }
    }

    init(kind: Kind, body: Span<UInt8>) throws(MalformedField) {
        var fields = FieldReader(body)
        switch kind {
        case .boot: self = .boot(try BootEntry(from: &fields))
        case .anchor: self = .anchor(try AnchorEntry(from: &fields))
        case .encounterOpened: self = .encounterOpened(try EncounterOpenedEntry(from: &fields))
        case .encounterIdentified: self = .encounterIdentified(try EncounterIdentifiedEntry(from: &fields))
        case .sample: self = .sample(try SampleEntry(from: &fields))
        case .encounterClosed: self = .encounterClosed(try EncounterClosedEntry(from: &fields))
        case .coverage: self = .coverage(try CoverageEntry(from: &fields))
        case .radio: self = .radio(try RadioEntry(from: &fields))
        case .message: self = .message(try MessageEntry(from: &fields))
        case .sharedPayloads: self = .sharedPayloads(try SharedPayloadsEntry(from: &fields))
        case .ownIdentity: self = .ownIdentity(try OwnIdentityEntry(from: &fields))
        case .readings: self = .readings(try ReadingsEntry(from: &fields))
        case .peerDetails: self = .peerDetails(try PeerDetailsEntry(from: &fields))
        case .configuration: self = .configuration(try ConfigurationEntry(from: &fields))
        case .gap: self = .gap(try GapEntry(from: &fields))
        case .acknowledgement: self = .acknowledgement(try AcknowledgementEntry(from: &fields))
        case .identityRefused: self = .identityRefused(try IdentityRefusedEntry(from: &fields))
        case .identityReference: self = .identityReference(try IdentityReferenceEntry(from: &fields))
        case .ownKey: self = .ownKey(try OwnKeyEntry(from: &fields))
        case .marker: self = .marker(try MarkerEntry(from: &fields))
        case .battery: self = .battery(try BatteryEntry(from: &fields))
        }
    }
}

// Encoded entries, as in a page: kind, length and body.

extension LogEntry {
    /// The size of the first of several encoded entries.
    static func byteCount(startingWith entries: Span<UInt8>) -> Int {
        let low = Int(entries[1])
        guard low & 0x80 != 0 else { return 2 + low }
        return 3 + (low & 0x7f) + Int(entries[2]) &<< 7
    }

    @_lifetime(copy entry)
    static func body(of entry: Span<UInt8>) -> Span<UInt8> {
        entry.extracting((entry[1] & 0x80 != 0 ? 3 : 2)..<entry.count)
    }
}
