import EncounterLog
import FixedMemory
import HCI
import Peers
import TestSupport
import Testing

extension DeviceAddress {
    /// A random static address made from a number.
    static func peer(_ number: UInt64) -> DeviceAddress { .staticRandom(seed: 0x1000 + number) }
}

func identity(_ bytes: [UInt8]) throws -> FixedBuffer<512> {
    var buffer = FixedBuffer<512>()
    for byte in bytes { try buffer.append(byte) }
    return buffer
}

extension Recorder {
    /// Records one report of a device whose key is its address.
    mutating func record(_ sighting: Sighting, now: Instant) {
        record(sighting, of: lookUp(sighting.address), now: now)
    }
}

/// A recorder with a clock, driven in the tests' own terms, and the entries that it hands to the log.
struct Listener: ~Copyable {
    var recorder: Recorder
    var now: Instant = 1_000_000

    init(_ change: (inout RecorderSettings) -> Void = { _ in }) throws {
        var settings = RecorderSettings()
        settings.peerCapacity = 16
        settings.entryCapacity = 64
        // Most tests are not about encounters that are held back.
        settings.strangers = .none
        change(&settings)
        recorder = try Recorder(settings: settings, hashSeed: 0x1234_5678_9abc_def1)
    }

    mutating func hear(
        _ peer: DeviceAddress, _ dBm: Int8? = -60, _ interest: PeerInterest = .participant,
        foundBy: PeerHint = .bothServices, power: Int8? = nil, isConnectable: Bool = true,
        pseudo: UInt64? = nil, times: Int = 1
    ) {
        for _ in 0..<times {
            let sighting = Sighting(
                address: peer, rssi: dBm.flatMap { RSSI(dBm: $0) },
                transmitPower: power.flatMap { TransmitPower(dBm: $0) }, interest: interest,
                foundBy: foundBy, isConnectable: isConnectable)
            if let pseudo {
                recorder.record(sighting, from: PeerKey(pseudoAddress: pseudo), now: now)
            } else {
                recorder.record(sighting, now: now)
            }
        }
    }

    /// The peer writes over a link how strongly it hears us.
    mutating func takeReading(_ dBm: Int8, writtenBy peer: DeviceAddress) throws {
        recorder.recordReading(try #require(RSSI(dBm: dBm)), writtenBy: peer, now: now)
    }

    /// The controller measures the RSSI of a link.
    mutating func takeReading(_ dBm: Int8, onLinkTo peer: DeviceAddress) throws {
        recorder.recordReading(try #require(RSSI(dBm: dBm)), onLinkTo: peer, now: now)
    }

    func lastHeard(_ peer: DeviceAddress) -> Instant? {
        recorder.peers.find(peer).map { recorder.peers.slots[$0].lastHeard }
    }

    func isKnown(_ peer: DeviceAddress) -> Bool { recorder.peers.find(peer) != nil }

    func needsIdentity(of peer: DeviceAddress) -> Bool {
        recorder.exchanges.needsIdentity(of: peer, in: recorder.peers)
    }

    func standing(of peer: DeviceAddress) -> PeerStanding? {
        recorder.peers.find(peer).map { recorder.peers.slots[$0].standing }
    }

    /// Lets time pass, sweeping the recorder twice a second, as the agent does.
    mutating func wait(milliseconds: UInt64) {
        let end = now + .milliseconds(milliseconds)
        while now < end {
            now = min(now + .milliseconds(500), end)
            recorder.advance(now: now)
        }
    }

    mutating func identify(_ peer: DeviceAddress, as bytes: [UInt8]) throws {
        recorder.identify(peer, identity: try identity(bytes), now: now)
    }

    /// The peer writes an identity without a request.
    mutating func write(_ bytes: [UInt8], by peer: DeviceAddress) throws {
        recorder.identify(peer, identity: try identity(bytes), isWritten: true, now: now)
    }

    mutating func takeEntries() -> [LogEntry] {
        var taken: [LogEntry] = []
        while let entry = recorder.nextEntry() {
            taken.append(entry)
            recorder.dropEntry()
        }
        return taken
    }
}

extension LogEntry {
    var name: String {
        switch self {
        case .boot: "boot"
        case .anchor: "anchor"
        case .encounterOpened: "opened"
        case .encounterIdentified: "identified"
        case .sample: "sample"
        case .encounterClosed: "closed"
        case .coverage: "coverage"
        case .radio: "radio"
        case .message: "message"
        case .sharedPayloads: "shared payloads"
        case .ownIdentity: "own identity"
        case .ownKey: "own key"
        case .readings: "readings"
        case .peerDetails: "details"
        case .configuration: "configuration"
        case .gap: "gap"
        case .acknowledgement: "acknowledgement"
        case .identityRefused: "refused"
        case .identityReference: "reference"
        case .marker: "marker"
        case .battery: "battery"
        }
    }

    var sample: SampleEntry? { if case .sample(let entry) = self { entry } else { nil } }
    var opened: EncounterOpenedEntry? { if case .encounterOpened(let entry) = self { entry } else { nil } }
    var readings: ReadingsEntry? { if case .readings(let entry) = self { entry } else { nil } }
    var details: PeerDetailsEntry? { if case .peerDetails(let entry) = self { entry } else { nil } }
    var closed: EncounterClosedEntry? { if case .encounterClosed(let entry) = self { entry } else { nil } }
    var refused: IdentityRefusedEntry? { if case .identityRefused(let entry) = self { entry } else { nil } }
    var identified: EncounterIdentifiedEntry? {
        if case .encounterIdentified(let entry) = self { entry } else { nil }
    }
}
