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
    /// The digest of the payload; 0 if it is empty.
    package let digest: UInt32

    package init(address: DeviceAddress, payload: FixedBuffer<512>, schemes: OwnSchemes = OwnSchemes()) {
        self.payload = payload
        self.schemes = schemes
        digest = payload.isEmpty ? 0 : IdentityDigest.of(payload)
        appearance = OwnAppearance(
            address: address, turns: AdvertisingSlots(isHerald: !payload.isEmpty, schemes),
            isSilent: payload.isEmpty && schemes.isEmpty)
    }

    package var address: DeviceAddress { appearance.address }

    package var isAnonymous: Bool { payload.isEmpty }

    /// No identity under `address`, for a board that only reads those of others.
    package static func anonymous(under address: DeviceAddress) -> OwnIdentity {
        OwnIdentity(address: address, payload: FixedBuffer())
    }
}
