import HCI
import Protocols

/// The board's own identities: the current one, the next one, and the content of adverts. Address and payload
/// change in the same moment, with scanning and advertising off.
struct IdentityRotation: BitwiseCopyable {
    /// The identity that the controller's address and the served payload stand for.
    private(set) var current: OwnIdentity
    /// The identity that follows as soon as the controller has its address.
    private(set) var next: OwnIdentity?
    /// The content that adverts should have: the next identity's, while there is one.
    private(set) var appearance: OwnAppearance
    /// The identity in Exposure Notification, which changes with the others.
    var broadcast: ExposureBroadcast?

    init(_ identity: OwnIdentity) {
        current = identity
        appearance = identity.appearance
    }

    mutating func prepare(_ identity: OwnIdentity) {
        next = identity
        appearance = identity.appearance
    }

    /// Changes the address of both identities.
    mutating func move(to address: DeviceAddress) {
        current = current.moved(to: address)
        next = next?.moved(to: address)
        appearance = (next ?? current).appearance
    }

    /// Makes the next identity the current one.
    /// - Returns: whether there was a next identity.
    mutating func adopt() -> Bool {
        guard let next else { return false }
        self.next = nil
        current = next
        return true
    }
}
