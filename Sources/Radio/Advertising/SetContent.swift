import HCI
import Protocols

/// What an advertising set is to say, under which address, and whether one may connect to it.
package struct SetContent: BitwiseCopyable, Equatable {
    let turn: AdvertisingSlot
    let type: AdvertisingType
    let address: DeviceAddress
}
