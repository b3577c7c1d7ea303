import FixedMemory
import HCI
import Protocols
import Schemes

/// How the radio is used. Times in slots of 0.625 ms.
public struct RadioSettings: BitwiseCopyable, Sendable {
    public var scans = true
    public var advertises = true
    /// Where the controller has them.
    public var usesExtendedCommands = false
    /// A beacon's, which it keeps.
    public var address: DeviceAddress
    /// What adverts say it is.
    public var transmitPower: TransmitPower
    public var advertisingIntervalSlots: UInt16 = 400
    public var scanIntervalSlots: UInt16 = 96
    public var scanWindowSlots: UInt16 = 80
    /// How often a peer is told how we hear it, where we do not advertise.
    public var writeBackInterval = Interval.seconds(15)
    /// Whether iPhones are told whom else we have heard.
    public var sharesPayloads = false
    /// Whether devices are asked for their model.
    public var asksModel = false
    /// Whether iPhones that have been silent are sent an empty write.
    public var wakesIPhones = false
    /// The schemes with a GATT service on the board.
    package var offer = IdentityServer.Offer()
    /// Links at once, both ways together.
    public var linkLimit = 4

    public init(address: DeviceAddress, transmitPower: TransmitPower) {
        self.address = address
        self.transmitPower = transmitPower
    }

    func advertisingData(in turn: AdvertisingSlot) -> FixedBuffer<31> {
        guard let exposure = turn.exposure else {
            return HeraldAdvert.data(transmitPower: transmitPower, turn: turn)
        }
        let advert = exposure.advert
        return FixedBuffer(advert.span) ?? FixedBuffer()
    }

    /// Of the events that the commands in use lead to.
    var lowEnergyEventMask: UInt64 {
        usesExtendedCommands ? EventMask.lowEnergyExtended : EventMask.lowEnergy
    }

    /// Controllers before 5.0 refuse (0x12) to advertise without being connectable more often than every
    /// 100 ms.
    func advertisingIntervalSlots(for type: AdvertisingType) -> UInt16 {
        type == .connectable ? advertisingIntervalSlots : max(advertisingIntervalSlots, 160)
    }

    /// From milliseconds, rounded.
    public static func slots(milliseconds: UInt16) -> UInt16 {
        UInt16(truncatingIfNeeded: (UInt32(milliseconds) * 8 + 2) / 5)
    }
}
