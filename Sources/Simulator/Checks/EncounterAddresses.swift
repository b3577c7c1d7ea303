import EncounterLog
import FixedMemory
import HCI

/// Under which address each encounter of a boot was opened, as the log tells.
struct EncounterAddresses {
    private var boot: UInt64 = 0
    private var addresses: [UInt32: DeviceAddress] = [:]

    /// Each boot counts its encounters anew.
    mutating func begin(_ page: CommittedPage) {
        guard page.bootIdentifier != boot else { return }
        boot = page.bootIdentifier
        addresses = [:]
    }

    mutating func note(_ entry: LogEntry) {
        guard case .encounterOpened(let body) = entry else { return }
        addresses[body.encounter] = body.deviceAddress
    }

    subscript(_ encounter: UInt32) -> DeviceAddress? { addresses[encounter] }
}
