import HCI
import Protocols

/// What of an identity the controller has to show: few bytes, which are looked at for each packet.
struct OwnAppearance: BitwiseCopyable, Equatable {
    let address: DeviceAddress
    let turns: AdvertisingSlots
    /// We are nobody, to all schemes.
    let isSilent: Bool
}
