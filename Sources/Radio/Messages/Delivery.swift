import FixedMemory
import HCI
import Peers

/// One message to one peer.
package struct Delivery: BitwiseCopyable {
    package enum State: UInt8, BitwiseCopyable { case free, waiting, underWay }

    var state = State.waiting
    var attempts: UInt8 = 0
    /// The number of the message.
    let message: UInt32
    var key: PeerKey
    /// Finds the peer again if its key changes; 0 if it has no identity.
    let identityDigest: UInt32
    var nextAttempt = Instant.start

    init(key: PeerKey, identityDigest: UInt32, message: UInt32) {
        self.key = key
        self.identityDigest = identityDigest
        self.message = message
    }

    static var free: Delivery {
        var free = Delivery(
            key: PeerKey(DeviceAddress(value: 0, isRandom: false)), identityDigest: 0, message: 0)
        free.state = .free
        return free
    }
}
