import HCI

/// The part of the board's identity that the controller shows on air.
///
/// The radio compares it for each packet, so it is a few bytes.
package struct OwnAppearance: BitwiseCopyable, Equatable {
    package let address: DeviceAddress
    package let slots: AdvertisingSlots
    /// The board has no identity in any scheme.
    package let isSilent: Bool
}
