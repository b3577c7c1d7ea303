import EncounterLog
import FixedMemory

/// The entry of each kind; nil if the log entry is of another kind.
extension LogEntry {
    package var opened: EncounterOpenedEntry? {
        if case .encounterOpened(let entry) = self { entry } else { nil }
    }
    package var refused: IdentityRefusedEntry? {
        if case .identityRefused(let entry) = self { entry } else { nil }
    }
    package var identified: EncounterIdentifiedEntry? {
        if case .encounterIdentified(let entry) = self { entry } else { nil }
    }
    package var sample: SampleEntry? { if case .sample(let entry) = self { entry } else { nil } }
    package var closed: EncounterClosedEntry? {
        if case .encounterClosed(let entry) = self { entry } else { nil }
    }
    package var coverage: CoverageEntry? { if case .coverage(let entry) = self { entry } else { nil } }
    package var anchor: AnchorEntry? { if case .anchor(let entry) = self { entry } else { nil } }
    package var radio: RadioEntry? { if case .radio(let entry) = self { entry } else { nil } }
    package var ownIdentity: OwnIdentityEntry? {
        if case .ownIdentity(let entry) = self { entry } else { nil }
    }
    package var marker: MarkerEntry? { if case .marker(let entry) = self { entry } else { nil } }
    package var battery: BatteryEntry? { if case .battery(let entry) = self { entry } else { nil } }
    package var ownKey: OwnKeyEntry? { if case .ownKey(let entry) = self { entry } else { nil } }
    package var boot: BootEntry? { if case .boot(let entry) = self { entry } else { nil } }
    package var gap: GapEntry? { if case .gap(let entry) = self { entry } else { nil } }
    package var acknowledgement: AcknowledgementEntry? {
        if case .acknowledgement(let entry) = self { entry } else { nil }
    }
    package var configuration: ConfigurationEntry? {
        if case .configuration(let entry) = self { entry } else { nil }
    }
    package var message: MessageEntry? { if case .message(let entry) = self { entry } else { nil } }
    package var sharedPayloads: SharedPayloadsEntry? {
        if case .sharedPayloads(let entry) = self { entry } else { nil }
    }
    package var peerDetails: PeerDetailsEntry? {
        if case .peerDetails(let entry) = self { entry } else { nil }
    }
}

extension EncounterIdentifiedEntry {
    package var identityBytes: [UInt8] { (0..<identity.count).map { identity[$0] } }
}
