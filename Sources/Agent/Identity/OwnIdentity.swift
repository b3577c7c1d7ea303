import FixedMemory
import HCI
import Peers
import Protocols

/// Who we are to others: what they read, and the address under which we send. On a wearable nothing of it changes without
/// the address (HP-D06): one that stayed would tie the old to the new.
struct OwnIdentity: BitwiseCopyable, Equatable {
    let appearance: OwnAppearance
    /// Herald's. Empty: to Herald we are nobody, and serve nothing.
    let payload: FixedBuffer<512>
    let schemes: OwnSchemes
    /// What the payload comes to; 0 for nobody.
    let digest: UInt32

    init(address: DeviceAddress, payload: FixedBuffer<512>, schemes: OwnSchemes = OwnSchemes()) {
        self.payload = payload
        self.schemes = schemes
        digest = payload.isEmpty ? 0 : Recorder.digest(payload)
        appearance = OwnAppearance(
            address: address, turns: AdvertisingSlots(isHerald: !payload.isEmpty, schemes),
            isSilent: payload.isEmpty && schemes.isNobody)
    }

    var address: DeviceAddress { appearance.address }

    var isNobody: Bool { payload.isEmpty }

    /// Sends under `address` without being anybody: to ask others who they are.
    static func nobody(under address: DeviceAddress) -> OwnIdentity {
        OwnIdentity(address: address, payload: FixedBuffer())
    }
}
