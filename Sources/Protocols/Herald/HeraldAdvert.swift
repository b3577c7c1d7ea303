import FixedMemory
import GATT
import HCI

/// The advert by which phones find us.
///
/// Current phones advertise and look for the 16-bit service; older ones know only the 128-bit one. Both
/// services stand in the advert itself, because phones filter on it and miss services in a scan response. The
/// advert has no pseudo device address, because our address stays the same for minutes at least (HP-C19).
public enum HeraldAdvert {
    /// Flags (3 bytes), 16-bit services (4), a 128-bit service (18), transmit power (3): 28 of 31.
    /// - Parameter slot: selects the 128-bit service. Without an identity in Herald, the 16-bit service is
    ///   left out.
    public static func data(transmitPower: TransmitPower, slot: AdvertisingSlot = .herald) -> FixedBuffer<31>
    {
        var data = FixedBuffer<31>()
        do throws(CapacityError) {
            try data.append(2 as UInt8)
            try data.append(AdvertisingDataType.flags.rawValue)
            try data.append(0x06 as UInt8)  // general discoverable, no BR/EDR
            if slot.isHerald {
                try data.append(3 as UInt8)
                try data.append(AdvertisingDataType.completeServices16.rawValue)
                try data.append(littleEndian: HeraldService.currentShort)
            }
            if let service = slot.service {
                try data.append(17 as UInt8)
                try data.append(AdvertisingDataType.completeServices128.rawValue)
                try service.append(to: &data)
            }
            try data.append(2 as UInt8)
            try data.append(AdvertisingDataType.transmitPower.rawValue)
            try data.append(transmitPower.dBm)
        } catch {
            preconditionFailure("the advert is 28 bytes")
        }
        return data
    }
}
