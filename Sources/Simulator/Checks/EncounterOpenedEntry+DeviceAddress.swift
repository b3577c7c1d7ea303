import EncounterLog
import HCI

extension EncounterOpenedEntry {
    var deviceAddress: DeviceAddress {
        DeviceAddress(littleEndian: address.span.loadUInt48(at: 0), addressType: addressType)
    }
}
