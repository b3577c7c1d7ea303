import FixedMemory
import HCI
import Peers

/// Who we are to others: the payload that they read, and the address under which we send. Neither changes without the
/// other (HP-D06): one that stayed would tie the old to the new.
struct OwnIdentity: BitwiseCopyable, Equatable {
    let address: DeviceAddress
    /// Empty: we are nobody; nothing is advertised, and nothing served.
    let payload: FixedBuffer<512>
    /// What the payload comes to; 0 for nobody.
    let digest: UInt32

    init(address: DeviceAddress, payload: FixedBuffer<512>) {
        self.address = address
        self.payload = payload
        digest = payload.isEmpty ? 0 : Recorder.digest(payload)
    }

    var isNobody: Bool { payload.isEmpty }

    /// Sends under `address` without being anybody: to ask others who they are.
    static func nobody(under address: DeviceAddress) -> OwnIdentity {
        OwnIdentity(address: address, payload: FixedBuffer())
    }
}
