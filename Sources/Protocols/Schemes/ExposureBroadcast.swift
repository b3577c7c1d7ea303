import HCI
import Schemes

/// The board's identity in Exposure Notification, with the address under which the board advertises it.
///
/// No other scheme uses this address, so that an observer cannot tie the identity to those of other schemes.
/// Address and identity change together.
package struct ExposureBroadcast: BitwiseCopyable, Equatable {
    /// A non-resolvable private address, because no peer needs to connect to it.
    package let address: DeviceAddress
    package let identity: ExposureNotificationIdentity

    package init(address: DeviceAddress, identity: ExposureNotificationIdentity) {
        self.address = address
        self.identity = identity
    }
}
