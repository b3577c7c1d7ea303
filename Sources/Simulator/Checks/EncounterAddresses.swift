import EncounterLog
import FixedMemory
import HCI

/// The address under which each encounter of a boot was opened, according to the log.
struct EncounterAddresses {
    private var boot: UInt64 = 0
    private var addresses: [UInt32: DeviceAddress] = [:]

    /// Clears the table at a new boot, because each boot numbers its encounters from the start.
    mutating func begin(_ page: CommittedPage) {
        guard page.bootIdentifier != boot else { return }
        boot = page.bootIdentifier
        addresses = [:]
    }

    mutating func record(_ entry: LogEntry) {
        guard case .encounterOpened(let body) = entry else { return }
        addresses[body.encounter] = body.deviceAddress
    }

    subscript(_ encounter: UInt32) -> DeviceAddress? { addresses[encounter] }
}
