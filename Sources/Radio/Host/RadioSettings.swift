import FixedMemory
import HCI
import Protocols
import Schemes

/// How the radio is used. Times in slots of 0.625 ms.
public struct RadioSettings: BitwiseCopyable, Sendable {
    public var scans = true
    public var advertises = true
    /// Whether the agent uses the extended commands, if the controller has them.
    public var usesExtendedCommands = false
    /// The first random address. A beacon keeps it, unless it sends under its public address.
    public var address: DeviceAddress
    /// A wearable never sends under its public address, which does not change.
    public var publicAddressUse = PublicAddressUse.never
    /// The transmit power that adverts state.
    public var transmitPower: TransmitPower
    public var advertisingIntervalSlots: UInt16 = 400
    public var duty = ScanDuty.continuous
    /// The interval at which a board that does not advertise writes its RSSI readings back to each peer.
    public var writeBackInterval = Interval.seconds(15)
    /// Whether the board shares payloads of other peers with iPhones.
    public var sharesPayloads = false
    /// Whether the board reads the model of devices.
    public var asksModel = false
    /// Whether the board wakes silent iPhones with an empty write.
    public var wakesIPhones = false
    /// The schemes with a GATT service on the board.
    package var offer = IdentityServer.Offer()
    /// The largest number of links at a time, incoming and outgoing.
    public var linkLimit = 4

    public init(address: DeviceAddress, transmitPower: TransmitPower) {
        self.address = address
        self.transmitPower = transmitPower
    }

    func advertisingData(in slot: AdvertisingSlot) -> FixedBuffer<31> {
        guard let exposure = slot.exposure else {
            return HeraldAdvert.data(transmitPower: transmitPower, slot: slot)
        }
        let advert = exposure.advert
        return FixedBuffer(advert.span) ?? FixedBuffer()
    }

    /// The LE event mask for the commands that the agent uses.
    var lowEnergyEventMask: UInt64 {
        usesExtendedCommands ? EventMask.lowEnergyExtended : EventMask.lowEnergy
    }

    /// Controllers before 5.0 refuse (0x12) to advertise without being connectable more often than every
    /// 100 ms.
    func advertisingIntervalSlots(for type: AdvertisingType) -> UInt16 {
        type == .connectable ? advertisingIntervalSlots : max(advertisingIntervalSlots, 160)
    }
}
