import FixedMemory
import HCI

/// Who we are to others: the payload that they read, and the address under which we send. Neither changes without the
/// other (HP-D06): one that stayed would tie the old to the new.
struct OwnIdentity: BitwiseCopyable, Equatable {
    let address: DeviceAddress
    /// Empty: we are nobody; nothing is advertised, and nothing served.
    let payload: FixedBuffer<512>

    var isNobody: Bool { payload.isEmpty }

    /// Sends under `address` without being anybody: to ask others who they are.
    static func nobody(under address: DeviceAddress) -> OwnIdentity {
        OwnIdentity(address: address, payload: FixedBuffer())
    }
}
