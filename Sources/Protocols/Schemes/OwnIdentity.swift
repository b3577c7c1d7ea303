import FixedMemory
import HCI
import Peers

/// The board's identity to peers: the values that they read, and the address under which it sends.
///
/// On a wearable no part of it changes without the address (HP-D06), because an address that stayed would tie
/// the old identity to the new one.
package struct OwnIdentity: BitwiseCopyable, Equatable {
    package let appearance: OwnAppearance
    /// The Herald payload. Empty: the board has no Herald identity and serves no payload.
    package let payload: FixedBuffer<512>
    package let schemes: OwnSchemes
    /// The payload's digest; 0 without a payload.
    package let digest: UInt32

    package init(address: DeviceAddress, payload: FixedBuffer<512>, schemes: OwnSchemes = OwnSchemes()) {
        self.payload = payload
        self.schemes = schemes
        digest = payload.isEmpty ? 0 : IdentityDigest.of(payload)
        appearance = OwnAppearance(
            address: address, slots: AdvertisingSlots(isHerald: !payload.isEmpty, schemes),
            isSilent: payload.isEmpty && schemes.isEmpty)
    }

    package var address: DeviceAddress { appearance.address }

    /// The same identity under another address.
    package func moved(to address: DeviceAddress) -> OwnIdentity {
        OwnIdentity(address: address, payload: payload, schemes: schemes)
    }

    package var isAnonymous: Bool { payload.isEmpty }

    /// An identity in no scheme: the board only sends under `address`, to read the identities of peers.
    package static func anonymous(under address: DeviceAddress) -> OwnIdentity {
        OwnIdentity(address: address, payload: FixedBuffer())
    }
}
