import FixedMemory
import HCI
import Peers
import Protocols

/// The rotation of the board's identity: address and payload change in the same moment, with both roles
/// off, and every link from before ends soon.
extension RadioController {
    /// How long a link may continue after the identity has changed, to end its work.
    static var oldLink: Interval { .seconds(10) }

    /// Changes the identity, now or as soon as the controller has the new address.
    package mutating func rotateIdentity(_ identity: OwnIdentity, recorder: inout Recorder, now: Instant) {
        let identity = address.isRandom ? identity : identity.moved(to: address)
        let keepsAddress = identity.address == address
        context.own.prepare(identity)
        // A beacon keeps its address, so the controller has nothing to learn.
        if keepsAddress {
            adoptIdentity(now: now)
            return context.serveIdentity()
        }
        connector.cancelForRotation(recorder: &recorder, context: &context, now: now)
        if state == .halted { adoptIdentity(now: now) }
    }

    /// Makes the next identity current. The controller has its address, or gets it at the next bring-up.
    mutating func adoptIdentity(now: Instant) {
        guard context.own.adopt() else { return }
        for slot in links.indices where !links[slot].isClosed && links[slot].mustEnd == nil {
            links[slot].mustEnd = now + Self.oldLink
        }
    }
}
