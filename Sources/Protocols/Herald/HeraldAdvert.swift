import FixedMemory
import HCI

/// The advert by which phones find us.
///
/// Current phones advertise and look for the 16-bit service, older ones know only the 128-bit one, so both are in
/// the advert itself: phones filter on it, and what stands in a scan response stays unseen. There is no pseudo
/// device address, for our address stays the same for minutes at least (HP-C19).
public enum HeraldAdvert {
    /// Flags (3 bytes), 16-bit services (4), 128-bit services (18), transmit power (3): 28 of 31.
    public static func data(transmitPower: TransmitPower) -> FixedBuffer<31> {
        var data = FixedBuffer<31>()
        do throws(CapacityError) {
            try data.append(2 as UInt8)
            try data.append(AdvertisingDataType.flags.rawValue)
            try data.append(0x06 as UInt8)  // general discoverable, no BR/EDR
            try data.append(3 as UInt8)
            try data.append(AdvertisingDataType.completeServices16.rawValue)
            try data.append(littleEndian: HeraldService.currentShort)
            try data.append(17 as UInt8)
            try data.append(AdvertisingDataType.completeServices128.rawValue)
            try data.append(littleEndian: HeraldService.legacyLow)
            try data.append(littleEndian: HeraldService.legacyHigh)
            try data.append(2 as UInt8)
            try data.append(AdvertisingDataType.transmitPower.rawValue)
            try data.append(transmitPower.dBm)
        } catch {
            preconditionFailure("the Herald advert is 28 bytes")
        }
        return data
    }
}
