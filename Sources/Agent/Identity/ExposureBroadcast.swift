import HCI
import Schemes

/// Who we are in Exposure Notification, and the address under which we say so: one of its own, so that nothing ties the one
/// to who we are in other schemes. Both change together.
struct ExposureBroadcast: BitwiseCopyable, Equatable {
    /// Non-resolvable: nobody connects to it.
    let address: DeviceAddress
    let identity: ExposureNotificationIdentity
}
