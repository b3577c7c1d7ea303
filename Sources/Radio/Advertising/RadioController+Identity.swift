import FixedMemory
import GATT
import HCI
import Peers
import Protocols

/// Becoming somebody else: address and payload change in the same moment, with both roles off, and every link that knew
/// us before ends soon.
extension RadioController {
    /// How long a link may go on after we have become somebody else, to end its work.
    static var oldLinkMilliseconds: UInt64 { 10_000 }

    /// From now on, or as soon as the controller has come so far, we are `identity`.
    package mutating func rotateIdentity(
        _ identity: OwnIdentity, recorder: inout Recorder, nowMilliseconds now: UInt64
    ) {
        nextIdentity = identity
        appearance = identity.appearance
        // A beacon keeps its address, and has nothing to tell the controller.
        if identity.address == self.identity.address {
            adoptIdentity(nowMilliseconds: now)
            return serveIdentity()
        }
        // Nobody is asked under an address that is about to go; a controller that is connecting keeps its address.
        switch connecting {
        case .wanted(let peer, _): attemptFailed(with: peer, recorder: &recorder, nowMilliseconds: now)
        case .asked(let peer, _): connecting = .overdue(peer)
        case .no, .overdue, .cancelled: break
        }
        if state == .halted { adoptIdentity(nowMilliseconds: now) }
    }

    /// The controller has our new address, or has nothing at all and gets it when it is brought up.
    mutating func adoptIdentity(nowMilliseconds now: UInt64) {
        guard let next = nextIdentity else { return }
        nextIdentity = nil
        identity = next
        for index in links.indices {
            guard let link = links.slots[index], link.mustEndMilliseconds == nil else { continue }
            links.slots[index]?.mustEndMilliseconds = now + Self.oldLinkMilliseconds
        }
    }

    /// Whoever connects from now on has seen an advert of who we are now.
    mutating func serveIdentity() {
        server.herald.payload = identity.payload
        server.own = identity.schemes
    }

    /// Whether we are to be visible. Who is nobody to any scheme is not, nor who cannot be.
    var advertises: Bool {
        settings.advertises && !roles.cannotAdvertise && !appearance.isSilent
    }
}
