import HCI
import Schemes

/// Who we are in Exposure Notification, and the address under which we say so: one of its own, so that nothing ties the one
/// to who we are in other schemes. Both change together.
package struct ExposureBroadcast: BitwiseCopyable, Equatable {
    /// Non-resolvable: nobody connects to it.
    package let address: DeviceAddress
    package let identity: ExposureNotificationIdentity

    package init(address: DeviceAddress, identity: ExposureNotificationIdentity) {
        self.address = address
        self.identity = identity
    }
}
