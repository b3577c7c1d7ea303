import HCI
import Protocols

/// The content of an advertising set, its address, and whether it is connectable.
package struct SetContent: BitwiseCopyable, Equatable {
    let slot: AdvertisingSlot
    let type: AdvertisingType
    let address: DeviceAddress
}
