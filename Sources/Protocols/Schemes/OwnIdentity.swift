import FixedMemory
import HCI
import Peers

/// Who we are to others: what they read, and the address under which we send. On a wearable nothing of it changes without
/// the address (HP-D06): one that stayed would tie the old to the new.
package struct OwnIdentity: BitwiseCopyable, Equatable {
    package let appearance: OwnAppearance
    /// Herald's. Empty: to Herald we are nobody, and serve nothing.
    package let payload: FixedBuffer<512>
    package let schemes: OwnSchemes
    /// What the payload comes to; 0 for nobody.
    package let digest: UInt32

    package init(address: DeviceAddress, payload: FixedBuffer<512>, schemes: OwnSchemes = OwnSchemes()) {
        self.payload = payload
        self.schemes = schemes
        digest = payload.isEmpty ? 0 : IdentityDigest.of(payload)
        appearance = OwnAppearance(
            address: address, turns: AdvertisingSlots(isHerald: !payload.isEmpty, schemes),
            isSilent: payload.isEmpty && schemes.isNobody)
    }

    package var address: DeviceAddress { appearance.address }

    package var isNobody: Bool { payload.isEmpty }

    /// Sends under `address` without being anybody: to ask others who they are.
    package static func nobody(under address: DeviceAddress) -> OwnIdentity {
        OwnIdentity(address: address, payload: FixedBuffer())
    }
}
