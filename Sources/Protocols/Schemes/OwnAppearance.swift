import HCI

/// What of an identity the controller has to show: few bytes, which are looked at for each packet.
package struct OwnAppearance: BitwiseCopyable, Equatable {
    package let address: DeviceAddress
    package let turns: AdvertisingSlots
    /// We are nobody, to all schemes.
    package let isSilent: Bool
}
